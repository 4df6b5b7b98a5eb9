// `npm run build`: builds the interface and the server, unless they are up to date.
import { build, CliError } from './prepare.mjs'

try {
  await build()
} catch (error) {
  if (!(error instanceof CliError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
