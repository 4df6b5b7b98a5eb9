import { setTimeout as sleep } from 'node:timers/promises'
import { imports, type SampledImport } from '@kopilka/contract/imports.ts'
import type { TestApp } from './create-test-app.ts'
import type { Account } from './new-account.ts'

/** Sends a file to import. */
export async function sendFile(
  app: Pick<TestApp, 'address'>,
  { auth }: Pick<Account, 'auth'>,
  content: string | Uint8Array<ArrayBuffer> | ReadableStream,
  { name = 'файл', headers = {} }: { name?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number; body: SampledImport & { detail?: string; file?: string[] } }> {
  const response = await fetch(`${app.address}/api/v1/imports/`, {
    method: 'POST',
    headers: {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
      authorization: `Bearer ${auth.token}`,
      ...headers,
    },
    body: content,
    ...(content instanceof ReadableStream && { duplex: 'half' }),
  } as RequestInit)
  // Its callers check what it is.
  const body = (await response.json()) as SampledImport & { detail?: string; file?: string[] }
  return { status: response.status, body }
}

/** Waits until an import is in none of these states any more. */
export async function until(
  app: TestApp,
  { auth }: Account,
  id: string,
  left: readonly SampledImport['state'][] = ['reading', 'running'],
): Promise<SampledImport> {
  for (;;) {
    const found = await app.call(imports.read, { params: { id } }, auth)
    if (!left.includes(found.state)) return found
    await sleep(20)
  }
}

/** Sends a file and waits until it is read. */
export async function readFile(
  app: TestApp,
  account: Account,
  content: string | Uint8Array<ArrayBuffer>,
  name?: string,
): Promise<SampledImport> {
  const { body } = await sendFile(app, account, content, name === undefined ? {} : { name })
  return until(app, account, body.id)
}

/** What is chosen when an import is run. */
export interface Run {
  duplicates?: 'skip' | 'merge' | 'add'
  folders?: 'tags' | 'ignore'
  add_tags?: string[]
  read_pages?: boolean
}

/** Runs an import that is ready, to its end. */
export async function runImport(
  app: TestApp,
  account: Account,
  id: string,
  body: Run = {},
): Promise<SampledImport> {
  await app.call(imports.run, { params: { id }, body }, account.auth)
  return until(app, account, id)
}
