import type { FailureMeta } from '../api/query-meta.ts'

/** Of a tag that does not load the specification wants a snackbar as well as what the screen shows. */
export const alsoInSnackbar = { meta: { failure: 'tags.loadFailure' } } as const satisfies {
  meta: FailureMeta
}
