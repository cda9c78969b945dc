import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EMOJI, Emoji } from './emoji.ts'
import { isMoment } from './search-query.ts'
import { tries } from './test/properties.ts'
import { isUsername, posesAsAssistant } from './users.ts'

// Compares each pattern with a reference implementation.

const LOOKS: Record<string, string> = { '0': 'o', '1': 'i', l: 'i', '4': 'a', '5': 's' }
const readsAssistant = (name: string) =>
  /^assistant(bot)?$/.test(
    name
      .replace(/[._-]/g, '')
      .replace(/\d+$/, '')
      .replace(/[0145l]/g, (it) => LOOKS[it] as string),
  )

test('names that look like the assistant’s are recognized, whatever the separators and digits', () => {
  const spelled = [...'assistantbot'].map((it) =>
    fc.tuple(
      fc.constantFrom(...[it, ...Object.keys(LOOKS).filter((look) => LOOKS[look] === it)]),
      fc.constantFrom('', '', '.', '-_', '3'),
    ),
  )
  const near = fc
    .tuple(fc.tuple(...spelled), fc.nat(12), fc.constantFrom('', '7', '-42', 'x'))
    .map(([letters, count, tail]) => letters.slice(0, count).flat().join('') + tail)
  const any = fc.string({ unit: fc.constantFrom(...'asitnbo0145l._-'), maxLength: 16 })
  const same = fc.property(fc.oneof(near, any), (name) => {
    expect(posesAsAssistant(name)).toBe(readsAssistant(name))
    const isOne = /^[a-z0-9._-]{3,30}$/.test(name) && !readsAssistant(name) && name !== 'all'
    expect(isUsername(name)).toBe(isOne)
  })
  fc.assert(same, tries(5000, [['assistant'], ['4ss1stant-b0t.9'], ['assistants']]))
})

test('only calendar days are valid, in every year', () => {
  const two = (n: number) => String(n).padStart(2, '0')
  for (const year of ['0000', '1900', '2000', '2023', '2024', '2100', '2400', '9996', '9999'])
    for (let month = 0; month <= 13; month++)
      for (let day = 0; day <= 32; day++) {
        const text = `${year}-${two(month)}-${two(day)}`
        const isDay = !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text)
        expect([text, isMoment(text), isMoment(`${text}T23:59:59.999Z`)]).toEqual([text, isDay, isDay])
      }
})

test('the emoji pattern matches every emoji and no other single character', () => {
  const form = new RegExp(EMOJI, 'u')
  const isEmoji = (text: string) => Emoji.safeParse(text).success
  let pictures = 0
  for (let code = 0; code <= 0x1ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const char = String.fromCodePoint(code)
    const mayBe = /\p{Emoji}/u.test(char)
    for (const text of [char, `${char}\ufe0f`]) {
      const isOne = mayBe && isEmoji(text)
      if (isOne) pictures++
      if (form.test(text) !== isOne) expect([text, form.test(text)]).toEqual([text, isOne])
    }
    if (mayBe && isEmoji(`${char}🏽`)) expect([char, form.test(`${char}🏽`)]).toEqual([char, true])
  }
  expect(pictures).toBeGreaterThan(1300)
  for (const text of ['🇩🇪', '#️⃣', '🏴󠁧󠁢󠁷󠁬󠁳󠁿', '🏳️‍⚧️', '👩🏽‍❤️‍💋‍👨🏿', '👁️‍🗨️', '🐦‍⬛', '⛓️‍💥'])
    expect([text, isEmoji(text), form.test(text)]).toEqual([text, true, true])
})
