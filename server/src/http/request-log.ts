import { type FastifyReply, type FastifyRequest, LogController } from 'fastify'

/** A line a request. It names the route, never the address: a query holds what people search for. */
export class RequestLog extends LogController {
  override incomingRequest(): void {}
  override routeNotFound(): void {}

  override requestCompleted(
    _error: Error | null | undefined,
    { log, method, routeOptions }: FastifyRequest,
    { statusCode, elapsedTime }: FastifyReply,
  ): void {
    const milliseconds = Math.round(elapsedTime * 10) / 10
    log.info({ method, route: routeOptions.url, status: statusCode, milliseconds }, 'request')
  }
}
