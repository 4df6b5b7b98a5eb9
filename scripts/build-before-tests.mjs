// Vitest runs this before tests that start the built server, and in watch mode before each further run.
import { buildServer } from './prepare.mjs'

/** @param {import('vitest/node').TestProject} project */
export async function setup(project) {
  await buildServer()
  project.onTestsRerun(buildServer)
}
