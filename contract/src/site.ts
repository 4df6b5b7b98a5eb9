import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const site = {
  /** Settings of this server for the public screens. */
  read: endpoint({
    method: 'GET',
    path: '/site/',
    access: 'public',
    status: 200,
    response: z.object({ support_email: z.string(), registration: z.enum(['open', 'closed']) }),
  }),
}
