import { expect, test } from 'vitest'
import { draftOf, missingPart, savesSame, scheduleOf } from './schedule-draft.ts'

const saved = { days: [1, 5], from: '09:00', to: '18:00', timeZone: 'Asia/Kolkata' }

test('a draft begins with what is saved, otherwise off, with office hours', () => {
  expect(scheduleOf(draftOf(saved))).toEqual(saved)
  expect(scheduleOf(draftOf(null))).toBe(null)
  expect(draftOf(null)).toMatchObject({ isOn: false, days: [1, 2, 3, 4, 5], from: '09:00', to: '18:00' })
})

test('days are the same in any order, and what is off is the same whatever its hours', () => {
  const draft = draftOf(saved)
  expect(savesSame(draft, { ...draft, days: [5, 1] })).toBe(true)
  expect(savesSame(draft, { ...draft, days: [1] })).toBe(false)
  expect(savesSame(draft, { ...draft, isOn: false })).toBe(false)
  expect(savesSame(draftOf(null), { ...draft, isOn: false })).toBe(true)
})

test('the first missing part is named, unless the schedule is off', () => {
  const draft = draftOf(saved)
  expect(missingPart(draft)).toBeUndefined()
  expect(missingPart({ ...draft, days: [], from: '' })).toBe('days')
  expect(missingPart({ ...draft, from: '', to: '' })).toBe('from')
  expect(missingPart({ ...draft, to: '' })).toBe('to')
  expect(missingPart({ ...draft, days: [], isOn: false })).toBeUndefined()
})
