// `npm run build`: the web page, unless it is built from these very sources already.
import { build, Told } from './prepare.mjs'

try {
  await build()
} catch (error) {
  if (!(error instanceof Told)) throw error
  console.error(error.message)
  process.exitCode = 1
}
