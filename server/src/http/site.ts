import { site } from '@kopilka/contract/site.ts'
import type { Config } from '../config.ts'
import type { Server } from './serve.ts'

/** What anyone may know of this server: it stands in public pages. */
export function serveSite({ serve }: Server, config: Pick<Config, 'SUPPORT_EMAIL' | 'REGISTRATION'>): void {
  serve(site.read, async () => ({ support_email: config.SUPPORT_EMAIL, registration: config.REGISTRATION }))
}
