import { expect, test } from 'vitest'
import { createKeywords } from './keywords.ts'

test('the people with a keyword in a text follow every change', async () => {
  const keywords = createKeywords([
    { userId: 'ada', keywords: ['Deploy', 'on call'] },
    { userId: 'bob', keywords: ['deploy'] },
  ])
  const people = (text: string) => keywords.peopleOf(text).sort()
  expect(people('deploy')).toEqual(['ada', 'bob'])
  expect(people('who is ON CALL for the deploy')).toEqual(['ada', 'bob'])
  expect(people('call')).toEqual([])
  keywords.set({ userId: 'bob', keywords: ['outage', 'Outage'] })
  expect([people('deploy'), people('outage')]).toEqual([['ada'], ['bob']])
  const held = keywords.bytes()
  keywords.set({ userId: 'ada', keywords: [] })
  expect([people('deploy on call'), people('outage')]).toEqual([[], ['bob']])
  expect(keywords.bytes()).toBeLessThan(held)
  await keywords.reload(async () => [{ userId: 'eve', keywords: ['deploy'] }])
  expect([people('deploy'), people('outage')]).toEqual([['eve'], []])
  // What changes while they are read is newer.
  await keywords.reload(async () => {
    keywords.set({ userId: 'eve', keywords: ['outage'] })
    return [{ userId: 'eve', keywords: ['deploy'] }]
  })
  expect([people('deploy'), people('outage')]).toEqual([[], ['eve']])
  await keywords.reload(async () => [])
  expect([people('deploy outage'), keywords.bytes()]).toEqual([[], 0])
})
