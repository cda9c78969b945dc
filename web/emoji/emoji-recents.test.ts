import data from '@emoji-mart/data'
import { Data, FrequentlyUsed, init } from 'emoji-mart'
import { expect, test } from 'vitest'
import { showRecentsOf } from './emoji-recents.ts'

// The library has no API for this. The test fails if a new version accesses its history differently.

const drawnFirst = async () => {
  await init({ data: structuredClone(data), maxFrequentRows: 4, perLine: 9, categories: ['frequent', 'people'] })
  return (Data as { categories: { id: string; emojis: string[] }[] }).categories.find(({ id }) => id === 'frequent')
    ?.emojis
}

test('the picker shows recent emoji of its own user only, not of others in the same browser', async () => {
  showRecentsOf('ada')
  FrequentlyUsed.add({ id: 'rocket' })
  showRecentsOf('bob')
  FrequentlyUsed.add({ id: 'tada' })
  FrequentlyUsed.add({ id: 'tada' })
  FrequentlyUsed.add({ id: 'eyes' })
  const shown = await drawnFirst()
  expect(shown?.slice(0, 2)).toEqual(['tada', 'eyes'])
  expect(shown).toHaveLength(9)
  showRecentsOf('ada')
  await expect.poll(async () => (await drawnFirst())?.[0]).toBe('rocket')
})
