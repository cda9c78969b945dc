import { expect, test } from 'vitest'
import { safeName } from './export-json.ts'

test('a long name fits every file system and keeps its extension', () => {
  for (const letter of ['a', '漢', '🦉']) {
    const name = safeName(`${letter.repeat(120)}.report.pdf`)
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200)
    expect(name).toMatch(/\.pdf$/)
  }
  expect(safeName(`${'a'.repeat(179)}. b.txt`)).toBe(`${'a'.repeat(179)}.txt`)
  expect(safeName('../..')).toBe('.._')
})
