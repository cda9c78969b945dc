import { expect, test } from 'vitest'
import { aMessage } from '../../../test/a-message.ts'
import { actionsFor } from './message-actions.ts'
import { rowKeys } from './message-shortcuts.ts'

test('the list of shortcuts contains exactly the keys that a row handles', () => {
  const me = {
    id: 'ada',
    username: 'ada',
    name: 'Ada',
    email: 'ada@example.com',
    role: 'member',
    language: null,
  } as const
  const conversation = {
    kind: 'channel',
    isMember: true,
    canChange: true,
    canPost: true,
    canReply: true,
    ownerId: null,
    hasLetters: true,
    since: 0,
    openThread: () => {},
    markUnread: () => {},
  } as const
  const handled = actionsFor({
    message: aMessage(1),
    conversation,
    me,
    open: () => {},
  }).flatMap(({ key }) => key ?? [])
  const listed = rowKeys.flatMap(({ keys }) => keys).filter((key) => !key.startsWith('Arrow'))
  expect(listed.sort()).toEqual(handled.sort())
})
