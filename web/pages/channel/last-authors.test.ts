import { expect, test } from 'vitest'
import { deletedUsername } from '#contract/deleted-usernames'
import { ASSISTANT } from '#contract/ids'
import type { Message } from '#contract/messages'
import { lastAuthorsOf } from './last-authors.tsx'

const by = (id: string, deletedAt: string | null = null, username = id) =>
  ({ user: { id, username, name: id }, deletedAt }) as Message

test('the last three authors are shown once each, without the assistant and deleted messages', () => {
  const messages = [by('ada'), by('bob'), by('cyd'), by('bob'), by('dan', '2026-01-01'), by(ASSISTANT), by('eve')]
  expect(lastAuthorsOf({ messages, hasNewer: false })?.map(({ id }) => id)).toEqual(['eve', 'bob', 'cyd'])
  expect(lastAuthorsOf({ messages: [], hasNewer: false })).toEqual([])
})

test('a deleted account is no author', () => {
  const messages = [by('ada'), by('bob', null, deletedUsername('bob'))]
  expect(lastAuthorsOf({ messages, hasNewer: false })?.map(({ id }) => id)).toEqual(['ada'])
})

test('they are unknown while the latest messages are not loaded', () => {
  expect(lastAuthorsOf({ messages: [by('ada')], hasNewer: true })).toBeUndefined()
})
