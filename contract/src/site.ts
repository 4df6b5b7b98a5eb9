import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const site = {
  /** What the public screens need to know of this server before anyone signs in. */
  read: endpoint({
    method: 'GET',
    path: '/site/',
    access: 'public',
    status: 200,
    response: z.object({ support_email: z.string(), registration: z.enum(['open', 'closed']) }),
  }),
}
