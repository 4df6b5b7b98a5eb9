// Vitest runs this before the tests that start the server as people run it.
import { buildServer } from './prepare.mjs'

export const setup = buildServer
