// Vitest runs this before tests that start the built server.
import { buildServer } from './prepare.mjs'

export const setup = buildServer
