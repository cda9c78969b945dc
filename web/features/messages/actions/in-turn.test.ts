import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LaterItem } from '#contract/later'
import { setSessionUser } from '../../../session/session.ts'
import { setDone } from './later-actions.ts'
import { setPin } from './set-pin.ts'

const TOKEN = `header.${btoa(JSON.stringify({ sub: 'bob', exp: Date.now() / 1000 + 3600 }))}.signature`
const item: LaterItem = {
  id: 'a',
  messageId: null,
  text: 'Call Ada',
  rev: 1,
  createdAt: '2026-12-01T09:00:00.000Z',
  dueAt: null,
  remindedAt: null,
  doneAt: null,
}

/** The requests in order, and a function that answers the oldest open one. */
let asked: string[]
let answers: ((response: Response) => void)[]
const answer = (body: object, status = 200) => answers.shift()?.(Response.json(body, { status }))

beforeEach(() => {
  asked = []
  answers = []
  setSessionUser('bob')
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.stubGlobal('fetch', async (path: string, { method, body }: RequestInit = {}) => {
    if (path === '/api/auth/token') return Response.json({ token: TOKEN })
    asked.push(`${method} ${path}${body ? ` ${body}` : ''}`)
    return new Promise<Response>((resolve) => void answers.push(resolve))
  })
})
afterEach(() => {
  setSessionUser(undefined)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const DONE = 'PATCH /api/later/a {"isDone":true}'
const OPEN = 'PATCH /api/later/a {"isDone":false}'

test('what is done before the response to its reopening has come is done again, once', async () => {
  const acts = [setDone(item, false, false), setDone(item, true, false), setDone(item, true, false)]
  await vi.waitFor(() => expect(asked).toEqual([OPEN]))
  answer({ ...item, rev: 2 })
  await vi.waitFor(() => expect(asked).toEqual([OPEN, DONE]))
  answer({ ...item, rev: 3, doneAt: '2026-12-01T10:00:00.000Z' })
  await Promise.all(acts)
  const again = setDone(item, true, false)
  await vi.waitFor(() => expect(asked).toEqual([OPEN, DONE, DONE]))
  answer({ ...item, rev: 3, doneAt: '2026-12-01T10:00:00.000Z' })
  await again
})

test('what is unpinned before the response to its pinning has come is unpinned, even if that failed', async () => {
  const acts = [setPin({ id: 'm' }, true), setPin({ id: 'm' }, true), setPin({ id: 'm' }, false)]
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  answer({ error: { code: 'unavailable', message: '' } }, 503)
  await vi.waitFor(() => expect(asked).toHaveLength(2))
  answer({ error: { code: 'unavailable', message: '' } }, 503)
  await Promise.all(acts)
  expect(asked.map((it) => it.split(' ')[0])).toEqual(['PUT', 'DELETE'])
})
