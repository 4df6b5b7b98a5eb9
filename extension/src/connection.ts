import { api } from './browser.ts'

/** The Копилка that this browser saves to. */
export interface Connection {
  /** Where it is: `https://kopilka.example`, without a slash at the end. */
  server: string
  /** An API token that may write. */
  token: string
}

const KEY = 'connection'
/** TOKEN_PREFIX of contract/src/tokens.ts, which would bring zod along. */
const TOKEN = /^kop_[\w-]+$/

const isConnection = (stored: unknown): stored is Connection =>
  typeof stored === 'object' &&
  stored !== null &&
  'server' in stored &&
  typeof stored.server === 'string' &&
  'token' in stored &&
  typeof stored.token === 'string'

/** A server and a token as someone typed or pasted them; undefined if they cannot be right. */
export const readConnection = (server: string, token: string): Connection | undefined => {
  const typed = server.trim()
  const address = /^https?:\/\//i.test(typed) ? typed : `https://${typed}`
  const secret = token.trim()
  if (!URL.canParse(address) || !TOKEN.test(secret)) return undefined
  return { server: new URL(address).origin, token: secret }
}

/** The connection; undefined before there is one. */
export const connection = async (): Promise<Connection | undefined> => {
  const { [KEY]: stored } = await api.storage.local.get(KEY)
  return isConnection(stored) ? stored : undefined
}

/** The pages of the server, as permissions name them: a port is no part of it. */
const originsOf = ({ server }: Connection): { origins: string[] } => {
  const { protocol, hostname } = new URL(server)
  return { origins: [`${protocol}//${hostname}/*`] }
}

/** Asks for the right to talk to the server, and keeps the connection. Only while a click is handled. */
export const connect = async (made: Connection): Promise<boolean> => {
  if (!(await api.permissions.request(originsOf(made)))) return false
  await api.storage.local.set({ [KEY]: made })
  return true
}

/** Forgets the connection, and gives the right to talk to the server back. */
export const disconnect = async (): Promise<void> => {
  const made = await connection()
  await api.storage.local.remove(KEY)
  // Browsers keep a right that the manifest itself asks for.
  if (made) await api.permissions.remove(originsOf(made)).catch(() => false)
}
