import type { Random } from '../../server/src/testing/random.ts'
import type { Language, Topic } from './language.ts'

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** «о» before a vowel is «об». */
const withRussianAbout = (text: string): string => text.replace(/(?<=^|\s)([Оо]) (?=[АОУЭИаоуэи])/g, '$1б ')

/**
 * Fills the placeholders of a template: nouns and actions of the topic, words of the language; `{When}` is `{when}`
 * capitalised.
 */
export function fill(frame: string, language: Language, topic: Topic, random: Random): string {
  const [thing, other] = random.sample(topic.things, 2)
  const forms: Readonly<Record<string, string | undefined>> = {
    ...thing,
    nom2: other?.nom,
    acc2: other?.acc,
    do: random.pick(topic.actions),
  }
  const filled = frame.replace(/\{(\w+)\}/g, (_place, name: string) => {
    const key = name.toLowerCase()
    const text = forms[key] ?? random.pick(language.words[key] ?? [])
    return key === name ? text : capitalised(text)
  })
  return withRussianAbout(filled)
}
