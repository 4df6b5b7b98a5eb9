/** Parameters that say where a visitor came from, and nothing about the page (docs/behaviour.md, section 11). */
const TRACKING =
  /^(?:utm_.*|yclid|ysclid|ymclid|fbclid|gclid|dclid|gbraid|wbraid|msclkid|twclid|ttclid|igshid|mc_cid|mc_eid|_openstat|from)$/i

/** What is left out may uncover what is left out as well: `/a/%2E%2E/` a segment. No address takes more rounds. */
const MAX_ROUNDS = 10

/**
 * What all spellings of a page's address have in common: two addresses lead to one page where their keys are equal. Scheme,
 * www and m., default ports, trailing slashes and dots, fragments (but not routes of scripts, which are pages), the order of
 * parameters, tracking parameters, percent-encoding and punycode make no difference. The key of a key is the key. Text that
 * is no address of the web or ftp is its own key.
 */
export function addressKey(address: string): string {
  let key = address.trim()
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const next = keyOnce(key)
    if (next === key) break
    key = next
  }
  return key
}

function keyOnce(address: string): string {
  if (!/^(?:https?|ftp):\/\//i.test(address) || !URL.canParse(address)) return address
  const { protocol, username, password, hostname, port, pathname, search, hash } = new URL(address)
  const isWeb = protocol !== 'ftp:'
  const scheme = isWeb ? 'https:' : protocol
  const user = username || password ? `${username}${password && `:${password}`}@` : ''
  const isDefaultPort = port === '' || (isWeb && (port === '80' || port === '443'))
  const path = plain(pathname).replace(/\/+$/, '')
  return `${scheme}//${user}${hostOf(hostname)}${isDefaultPort ? '' : `:${port}`}${path}${queryOf(search)}${routeOf(hash)}`
}

/** Wikipedia and its sisters have the m. behind the language: `ru.m.wikipedia.org`. */
const MOBILE_WIKI =
  /^([\w-]+)\.m\.(?=wik(?:ipedia|tionary|imedia|inews|ibooks|iquote|isource|iversity|ivoyage)\.org$)/

/** Without www and m., as far as a name of two parts remains, and without the dot of the root. */
const hostOf = (hostname: string): string =>
  hostname
    .replace(/\.+$/, '')
    .replace(/^(?:(?:www|m)\.)+(?=[^.]+\.[^.])/, '')
    .replace(MOBILE_WIKI, '$1.')

/** Parameters sorted by their names; those of one name keep their order. */
function queryOf(search: string): string {
  const parameters = search
    .slice(1)
    .split('&')
    .map((parameter) => ({ parameter: plain(parameter.replaceAll('+', '%20')), name: nameOf(parameter) }))
    .filter(({ parameter, name }) => parameter !== '' && !TRACKING.test(name))
    .sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0))
    .map(({ parameter }) => parameter)
  return parameters.length > 0 ? `?${parameters.join('&')}` : ''
}

const nameOf = (parameter: string): string => plain(parameter.split('=', 1)[0] ?? '')

/** A fragment that is no place in a page but a page, shown by a script: `#!mail`, `#/mail`, `#inbox/1`, `#@name`, `#-100`. */
const ROUTE = /^#(?:[!@-].|[^/]*\/.)/

function routeOf(hash: string): string {
  const route = plain(hash).replace(/:~:.*/, '').replace(/\/+$/, '')
  return ROUTE.test(route) ? route : ''
}

/**
 * Percent-encoding in one spelling: none where a character needs none (RFC 3986, section 2.3) or no server makes a difference
 * (`Foo_(bar)` of Wikipedia), else in capitals. Decoding may uncover what decodes again: `%%341` is `%41`.
 */
function plain(text: string): string {
  for (let normalized = text; ; ) {
    const before = normalized
    normalized = before.replace(/%[\da-f]{2}/gi, (encoded) => {
      const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16))
      return /[\w.~!'()*,:@-]/.test(character) ? character : encoded.toUpperCase()
    })
    if (normalized === before) return normalized
  }
}
