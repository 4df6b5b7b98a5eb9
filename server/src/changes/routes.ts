import { changes } from '@kopilka/contract/changes.ts'
import type { Server } from '../http/serve.ts'
import type { ChangeFeed } from './feed.ts'

export const serveChanges = ({ serve }: Server, feed: ChangeFeed): void =>
  serve(changes.follow, ({ caller, query: { since, limit } }) => feed.page(caller.owner_id, since, limit))
