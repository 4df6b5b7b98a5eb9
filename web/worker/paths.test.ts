import { expect, test } from 'vitest'
import { isHashed, isScreen } from './paths.ts'

test.each([
  '/',
  '/home',
  '/notes/01a1fa45-9743-7383-8dfc-4ee65ccd69d0/edit',
  '/tags/1/edit/',
  '/add',
  '/apis',
])('%s is a screen', (path) => expect(isScreen(path)).toBe(true))

test.each([
  '/api',
  '/api/docs',
  '/api/v1/exports/secret/',
  '/linkding/api/bookmarks/',
  '/feed.xml',
  '/opensearch.xml',
  '/share/1',
  '/healthz',
  '/readyz',
  '/.well-known/security.txt',
  '/robots.txt',
  '/service-worker.js',
  '/assets/core-abc.js',
])('%s is left to the server', (path) => expect(isScreen(path)).toBe(false))

test('only the names of assets tell their content', () => {
  expect(isHashed('/assets/core-abc.js')).toBe(true)
  expect(isHashed('/favicon.svg')).toBe(false)
})
