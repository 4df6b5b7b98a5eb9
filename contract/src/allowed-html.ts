/**
 * The HTML that notes and links may hold: what the editor makes and what common exports carry (docs/behaviour.md, section 4).
 * The server cleans with it on the way in, the browser once more when it renders.
 */
export const ALLOWED_TAGS = [
  ...['p', 'br', 'hr', 'div', 'span', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
  ...[
    'b',
    'strong',
    'i',
    'em',
    'u',
    's',
    'del',
    'ins',
    'sub',
    'sup',
    'small',
    'mark',
    'abbr',
    'cite',
    'q',
    'kbd',
  ],
  ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'blockquote', 'pre', 'code', 'samp', 'var'],
  ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ...['a', 'img', 'figure', 'figcaption'],
] as const

/** Attributes by element. What every link and image gets besides is set by the cleaner, never taken from the author. */
export const ALLOWED_ATTRIBUTES = {
  a: ['href', 'title'],
  img: ['src', 'alt', 'title', 'width', 'height'],
  ol: ['start', 'reversed'],
  th: ['colspan', 'rowspan', 'scope'],
  td: ['colspan', 'rowspan'],
  abbr: ['title'],
} as const satisfies Partial<Record<(typeof ALLOWED_TAGS)[number], readonly string[]>>

/** Schemes a link may have. A link without one is relative to nothing here and is dropped. */
export const LINK_SCHEMES = ['http', 'https', 'ftp', 'mailto', 'tel'] as const
/** Sources an image may have; of `data:` only images. */
export const IMAGE_SCHEMES = ['http', 'https', 'data'] as const

/** Set on every link: it opens in a new tab, which learns nothing about where it was opened from. */
export const LINK_ATTRIBUTES = { rel: 'noopener noreferrer nofollow', target: '_blank' } as const
/** Set on every image: loaded when seen, without telling its server who looks. */
export const IMAGE_ATTRIBUTES = { loading: 'lazy', referrerpolicy: 'no-referrer' } as const
