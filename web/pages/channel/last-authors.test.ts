import { expect, test } from 'vitest'
import { ASSISTANT } from '#contract/ids'
import type { Message } from '#contract/messages'
import { lastAuthorsOf } from './last-authors.tsx'

const by = (id: string, deletedAt: string | null = null) => ({ user: { id, name: id }, deletedAt }) as Message

test('the last three authors are shown once each, without the assistant and deleted messages', () => {
  const messages = [by('ada'), by('bob'), by('cyd'), by('bob'), by('dan', '2026-01-01'), by(ASSISTANT), by('eve')]
  expect(lastAuthorsOf({ messages }).map(({ id }) => id)).toEqual(['eve', 'bob', 'cyd'])
  expect(lastAuthorsOf({ messages: [] })).toEqual([])
})
