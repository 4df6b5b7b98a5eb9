/**
 * The HTML allowed in notes and links: what the editor and common exports produce (docs/behaviour.md, section 4). The
 * server cleans with it before saving, and the browser again when it renders.
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

/** Allowed attributes by element. The cleaner itself sets the other attributes of links and images. */
export const ALLOWED_ATTRIBUTES = {
  a: ['href', 'title'],
  img: ['src', 'alt', 'title', 'width', 'height'],
  ol: ['start', 'reversed'],
  ul: ['data-type'],
  li: ['data-checked'],
  code: ['class'],
  th: ['colspan', 'rowspan', 'scope'],
  td: ['colspan', 'rowspan'],
  abbr: ['title'],
} as const satisfies Partial<Record<(typeof ALLOWED_TAGS)[number], readonly string[]>>

/** The class of a code block, with the name of its language: 'js', 'c++', 'objective-c'. */
export const LANGUAGE_CLASS = /^language-([\w+#.-]{1,40})$/

/**
 * The only values of some attributes. A checklist is `<ul data-type="taskList">`, an item of it `<li data-checked="true">`
 * or "false": the shape of TipTap, without its inputs. A code block with a language is `<pre><code class="language-js">`, as
 * the HTML standard recommends; no other class is kept.
 */
export const ALLOWED_VALUES: Readonly<Record<string, RegExp>> = {
  'data-type': /^taskList$/,
  'data-checked': /^(?:true|false)$/,
  class: LANGUAGE_CLASS,
}

/** Schemes a link may have. Relative links are dropped, because saved HTML has no base address. */
export const LINK_SCHEMES = ['http', 'https', 'ftp', 'mailto', 'tel'] as const
/** Schemes an image may have; with `data:` only image types. Besides, it may have the address of a file (`fileIdIn`). */
export const IMAGE_SCHEMES = ['http', 'https', 'data'] as const

/** Set on every link: it opens in a new tab without a referrer. */
export const LINK_ATTRIBUTES = { rel: 'noopener noreferrer nofollow', target: '_blank' } as const
/** Set on every image: it is loaded when visible, without a referrer. */
export const IMAGE_ATTRIBUTES = { loading: 'lazy', referrerpolicy: 'no-referrer' } as const
