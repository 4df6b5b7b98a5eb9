import { describe, expect, it } from 'vitest'
import { excerptAround as around } from './excerpt.ts'
import { excerptOf as cutTo } from './truncate.ts'

const LENGTH = 100
const excerptOf = (text: string) => cutTo(text, LENGTH)

describe('excerptOf', () => {
  it('is the whole text up to 100 characters', () => {
    expect(excerptOf('я'.repeat(100))).toBe('я'.repeat(100))
  })
  it('cuts a longer text at 100 characters and adds three dots', () => {
    expect(excerptOf('я'.repeat(101))).toBe(`${'я'.repeat(100)}...`)
  })
  it('never cuts an emoji in two', () => {
    expect(excerptOf('🦔'.repeat(101))).toBe(`${'🦔'.repeat(100)}...`)
    expect(excerptOf('🦔'.repeat(100))).toBe('🦔'.repeat(100))
  })
  it('collapses white space', () => {
    expect(excerptOf(' а\n\n б\tв ')).toBe('а б в')
    expect(excerptOf(`${' \n'.repeat(5_000)}а${' '.repeat(5_000)}б`)).toBe('а б')
    expect(excerptOf('а '.repeat(5_000))).toBe(`${'а '.repeat(50)}...`)
    expect(excerptOf(`${' '.repeat(800)}${'я'.repeat(300)}`)).toBe(`${'я'.repeat(100)}...`)
  })
})

describe('excerptAround', () => {
  const excerptAround = (text: string, asked: string) =>
    around(text, LENGTH, (form) => form.startsWith(asked.slice(0, 64)))
  it('is the start if the match is in it, or if there is none', () => {
    expect(excerptAround('начало конец', 'конец')).toBe('начало конец')
    expect(excerptAround('начало', 'нет')).toBe('начало')
  })
  it('starts some words before a match further on', () => {
    const text = `${'раз '.repeat(50)}Ёлка ${'два '.repeat(50)}`
    expect(excerptAround(text, 'елк')).toMatch(/^\.\.\.(раз ){7,8}Ёлка (два )+.*\.\.\.$/)
  })
  it('shows a match without spaces near it', () => {
    const text = `${'раз,'.repeat(100)}ёлка${',два'.repeat(100)}`
    expect(excerptAround(text, 'елк')).toContain('ёлка')
    expect(excerptAround(`https://example.org/${'x'.repeat(200)} и ёлка`, 'елк')).toContain('ёлка')
  })
  it('starts at the start of the text if the match is near it, however long the match is', () => {
    const long = 'а'.repeat(120)
    expect(excerptAround(`${long} и ещё много слов`, long)).toBe(`${'а'.repeat(100)}...`)
    expect(excerptAround(`и ${long}`, long)).toBe(`и ${'а'.repeat(98)}...`)
  })
  it('never cuts an emoji in two', () => {
    for (const before of ['', ','])
      expect(excerptAround(`${'🦔'.repeat(100)}${before}ёлка`, 'елка').isWellFormed()).toBe(true)
  })
})
