import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { limits } from '#contract/limits'
import type { Profile } from '#contract/users'
import { queryClient } from '../api-client/api.ts'
import { setSessionUser } from '../session/session.ts'
import { userSearch } from './user-search.ts'

const DAY_S = 24 * 3600
let queries: string[]

/** A server with `size` people, of whom it sends no more than one response holds. */
function startDirectory(size: number) {
  const people = Array.from({ length: size }, (_, nth) => ({
    id: `${nth}`,
    username: `p.${nth}`,
    name: `Person ${nth}`,
  }))
  const token = `head.${btoa(JSON.stringify({ sub: 'ada', exp: Date.now() / 1000 + DAY_S }))}.sign`
  vi.stubGlobal('fetch', async (input: string) => {
    if (input.includes('/token')) return Response.json({ token })
    const query = new URL(input, 'http://localhost').searchParams.get('query') ?? ''
    queries.push(query)
    return Response.json(people.filter(({ name }) => name.toLowerCase().includes(query)).slice(0, limits.people))
  })
}

beforeEach(() => {
  queries = []
  setSessionUser('ada')
})
afterEach(() => {
  queryClient.clear()
  vi.unstubAllGlobals()
})

const search = async (sought: string) =>
  ((await queryClient.fetchQuery(userSearch(sought))) as Profile[]).map(({ name }) => name)

test('a longer query is answered from the complete result of a shorter one', async () => {
  startDirectory(2000)
  expect((await search('person 14')).length).toBeLessThan(limits.people)
  expect(await search('person 1499')).toEqual(['Person 1499'])
  expect(queries).toEqual(['person 14'])
})

test('a result that fills the response may lack somebody, so a longer query asks the server', async () => {
  startDirectory(limits.people + 500)
  expect(await search('person')).toHaveLength(limits.people)
  const last = `person ${limits.people + 499}`
  expect(await search(last)).toHaveLength(1)
  expect(queries).toEqual(['person', last])
})
