import { ImportOptions, type ImportOptionsProps } from './import-options.tsx'
import { ImportRows } from './import-rows.tsx'

/** What an import would do, entry by entry, and how it is to be done. Loaded once a file has been read. */
export const ImportReview = (props: ImportOptionsProps) => (
  <>
    <ImportRows id={props.found.id} summary={props.found.summary} />
    <ImportOptions {...props} />
  </>
)
