import { expect, test } from 'vitest'
import { limits } from '#contract/limits'
import { startParley } from '../test/support/parley.ts'
import { isDense } from './json-bodies.ts'

const repeated = (part: string, bytes: number) => part.repeat(bytes / part.length)

test('JSON of tiny values is dense; typical requests are not', () => {
  const empty = [repeated('[],', 20_000), repeated('{},', 20_000), repeated('0,', 20_000), repeated('[', 20_000)]
  for (const part of empty) expect(isDense(`{"a":[${part}0]}`)).toBe(true)
  const shapes = Array.from({ length: 2 * limits.unreadAtOnce + 1001 }, (_, n) => ({ [`a key of its own ${n}`]: 1 }))
  expect(isDense(JSON.stringify(shapes))).toBe(true)
  expect(isDense(JSON.stringify(shapes.slice(1)))).toBe(false)
  const revs = Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`${n}`.padStart(36, '0'), n]))
  const texts = [
    repeated('[[{{,,', 20_000),
    repeated('"[,', 20_000),
    repeated('\\"[,', 20_000),
    repeated('\\\\', 20_000),
  ]
  for (const body of [{ revs }, ...texts.map((content) => ({ content, contents: [content] }))])
    expect(isDense(JSON.stringify(body))).toBe(false)
  expect(isDense('[[],[],[]]')).toBe(false)
  // An unterminated string.
  expect(isDense(`"${repeated('\\"', 20_000)}`)).toBe(false)
})

test('a dense body is refused', async () => {
  const parley = await startParley()
  const ada = await parley.person('ada')
  const payload = { epoch: '', revs: {}, more: Array.from({ length: 10_000 }, () => []) }
  expect(await ada.post('/api/sync', payload)).toMatchObject({ status: 400, code: 'invalid' })
  expect((await ada.post('/api/sync', { ...payload, more: 'x'.repeat(30_000) })).status).toBe(200)
})
