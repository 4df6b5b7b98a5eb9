import { expect, it } from 'vitest'
import { fold } from './fold.ts'
import { stemsOf } from './stems.ts'
import { isStopWord } from './stop-words.ts'
import { wordsOf } from './tokenize.ts'

it.for([
  ['Кто проектировал башню на площади?', 'проектировал башню площади'],
  ['В каком году это было и чем оно является', 'году'],
  ['Сколько стоит её ремонт', 'ремонт'],
  ['What is the name of the longest river in the world?', 'name longest river world'],
  ['How much did it cost to repair the bridge', 'cost repair bridge'],
  ['Подскажите, пожалуйста, что нужно делать при ожоге', 'ожоге'],
  ['Can you please tell me if I need a visa', 'visa'],
  ['почему слонопотам всегда такой', 'слонопотам'],
  ['что стало со слонопотамом', 'слонопотамом'],
  ["what's the best way to make flurbles", 'best way flurbles'],
  ['how do I get rid of whatever flurbles there still are', 'rid flurbles'],
  ['из стали', 'стали'],
  ['я и ты', ''],
  ['формула C 2', 'формула 2'],
] as const)('%s: what remains is %j', ([text, meaningful]) => {
  expect(
    wordsOf(text)
      .filter((word) => !isStopWord(word))
      .join(' '),
  ).toBe(meaningful)
})

it('compares folded words', () => {
  for (const word of ['ещё', 'Её', 'THE', 'Чём']) expect(isStopWord(fold(word))).toBe(true)
})

it('leaves the verbs of questions their other forms', () => {
  const stems = new Set<string>(stemsOf('делать'))
  expect(stemsOf('делаю').some((stem) => stems.has(stem))).toBe(true)
})
