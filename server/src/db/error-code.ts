/** The code an error carries (`SQLITE_FULL`, `57P01`, `ECONNREFUSED`); empty where it has none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
