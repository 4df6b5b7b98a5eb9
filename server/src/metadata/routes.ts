import { metadata } from '@kopilka/contract/metadata.ts'
import type { Server } from '../http/serve.ts'
import type { Extraction } from './extraction.ts'

export function serveMetadata({ serve }: Server, extraction: Extraction): void {
  serve(metadata.extract, ({ caller: { owner_id }, body: { url }, locale, signal }) =>
    extraction.extract({ owner_id, url, locale, signal }),
  )
}
