/** A tool whose archives hold more than its entries. Places are within its folder. */
interface Source {
  /** A file of entries. Its group is the folder of the tool. */
  readonly entries: RegExp
  /** Copies of the entries, which the tool has made itself. */
  readonly isCopy?: (place: string, hasFile: (place: string) => boolean) => boolean
  /** What is no entry, though its content may look like one. */
  readonly other?: RegExp
}

const SOURCES: readonly Source[] = [
  // Pocket and Omnivore: what readers marked stands in annotations.ts.
  { entries: /^((?:.*\/)?)part_\d+\.csv$/, other: /^(?:annotations|collections)\/[^/]+$/ },
  { entries: /^((?:.*\/)?)metadata_\d+_to_\d+\.json$/, other: /^(?:content|highlights)\/[^/]+$/ },
  // Simplenote
  {
    entries: /^((?:.*\/)?)source\/notes\.json$/,
    isCopy: (place) => /^(?:trash\/)?[^/]+\.txt$/.test(place),
  },
  {
    entries: /^((?:.*\/)?)Standard Notes Backup and Import File\.txt$/,
    isCopy: (place) => /^Items\/[^/]+\/[^/]+\.txt$/.test(place),
  },
  // Google Keep: a page beside each note, pictures, and a list of labels
  {
    entries: /^((?:.*\/)?(?:Google )?Keep\/)[^/]+\.json$/i,
    isCopy: (place, hasFile) => /^[^/]+\.html$/.test(place) && hasFile(place.replace(/html$/, 'json')),
    other: /^[^/]+$/,
  },
  { entries: /^((?:.*\/)?)[^/]*\.enex$/i },
]

/** How many folders a file may lie below that of its tool. */
const DEPTH = 2

/** A path as the folders that hold it, from the innermost, and the place within each. */
function* placesOf(path: string): Generator<readonly [folder: string, place: string]> {
  let at = path.lastIndexOf('/')
  for (let depth = 0; depth <= DEPTH; depth += 1) {
    yield [path.slice(0, at + 1), path.slice(at + 1)]
    if (at <= 0) return
    at = path.lastIndexOf('/', at - 1)
  }
}

export interface FileRoles {
  /** Files that show the format of the whole; undefined where all do. */
  readonly entries: RegExp | undefined
  /** Whether a file is read by what its content shows, is a copy of what is read, or is no entry. */
  readonly roleOf: (path: string) => 'read' | 'copy' | 'other'
}

/** What the files of an archive are to the tools that wrote them. */
export function rolesIn(paths: readonly string[]): FileRoles {
  const all = new Set(paths)
  const found = SOURCES.flatMap((source) => {
    const folders = new Set(paths.flatMap((path) => source.entries.exec(path)?.[1] ?? []))
    return folders.size > 0 ? [{ ...source, folders }] : []
  })
  return {
    entries: found[0]?.entries,
    roleOf(path) {
      if (found.some(({ entries }) => entries.test(path))) return 'read'
      for (const [folder, place] of placesOf(path))
        for (const { folders, isCopy, other } of found) {
          if (!folders.has(folder)) continue
          if (isCopy?.(place, (other) => all.has(folder + other))) return 'copy'
          if (other?.test(place)) return 'other'
        }
      return 'read'
    },
  }
}
