// `npm run build`: builds the interface and the server, each unless it is built from these very sources already.
import { build, CliError } from './prepare.mjs'

try {
  await build()
} catch (error) {
  if (!(error instanceof CliError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
