import { expect, test } from 'vitest'
import type { Profile } from '#contract/users'
import { userById } from './user-queries.ts'

test('the directory is indexed once, however many rows look up a person', () => {
  let reads = 0
  const people = Array.from({ length: 500 }, (_, n) => ({
    get id() {
      reads++
      return `person-${n}`
    },
  })) as Profile[]
  const pick = (id: string) => (userById(id).select as (people: Profile[]) => Profile | undefined)(people)
  for (const at of [3, 250, 499]) expect(pick(`person-${at}`)).toBe(people[at])
  expect(pick('nobody')).toBeUndefined()
  expect(reads).toBe(people.length)
})
