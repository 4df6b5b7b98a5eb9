import { escapeHtml } from '@kopilka/text/escape-html.ts'
import type { Random } from '../../server/src/testing/random.ts'
import type { Language, Topic } from './language.ts'
import { fill } from './sentences.ts'

const CODE = [
  'npm start',
  'git rebase --interactive main',
  'select title from items where owner_id = ? order by created_at desc',
  'const total = prices.reduce((sum, price) => sum + price, 0)',
  'ssh -L 8080:localhost:80 server.example.org',
  'find . -name "*.jpg" -mtime -7',
  'curl --silent https://example.org/status | jq .version',
]

/** HTML of about 400 characters of text: paragraphs, and here and there a heading, a list, a quote or code. */
export function sampleBody(language: Language, topic: Topic, random: Random): string {
  const say = (frames: readonly string[]): string =>
    escapeHtml(fill(random.pick(frames), language, topic, random))
  const sentence = (): string => stressed(say(language.sentences), random)
  const paragraph = (): string => `<p>${Array.from({ length: random.between(2, 3) }, sentence).join(' ')}</p>`
  const list = (): string => {
    const tag = random.chance(0.5) ? 'ul' : 'ol'
    const items = Array.from(
      { length: random.between(2, 5) },
      () => `<li><p>${say(language.listItems)}</p></li>`,
    )
    return `<p>${say(language.listHeads)}</p><${tag}>${items.join('')}</${tag}>`
  }

  const parts = [paragraph()]
  if (random.chance(0.15)) parts.unshift(`<h2>${say(language.titles)}</h2>`)
  if (random.chance(0.35)) parts.push(list())
  if (random.chance(0.1)) parts.push(`<blockquote><p>${sentence()}</p></blockquote>`)
  if (random.chance(0.12)) parts.push(`<pre><code>${escapeHtml(random.pick(CODE))}</code></pre>`)
  if (random.chance(0.9)) parts.push(paragraph())
  if (random.chance(0.08)) parts.push(paragraph())
  return parts.join('')
}

/** Some sentences carry a word in bold or italics. */
function stressed(text: string, random: Random): string {
  if (!random.chance(0.2)) return text
  const tag = random.chance(0.6) ? 'strong' : 'em'
  const words = text.split(' ')
  const at = random.between(0, words.length - 1)
  return words.map((word, index) => (index === at ? `<${tag}>${word}</${tag}>` : word)).join(' ')
}
