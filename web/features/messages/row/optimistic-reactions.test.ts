import { expect, test } from 'vitest'
import type { User } from '#contract/users'
import { aMessage } from '../../../test/a-message.ts'
import { isMine, type OptimisticReaction, shownReactions, whoReacted } from './optimistic-reactions.ts'

const person = (id: string): User => ({ id, username: id, name: id.charAt(0).toUpperCase() + id.slice(1) })
const [ada, bob, eve] = ['ada', 'bob', 'eve'].map(person) as [User, User, User]
const crowd = Array.from({ length: 50 }, (_, i) => person(`person ${i}`))

/** A message at revision 5 with the users who reacted with 👍, and the number of further users that it does not list. */
const message = (users: User[], more = 0) =>
  aMessage(1, { rev: 5, reactions: { '👍': users }, reactionCounts: { '👍': users.length + more } })
const choice = (isMine: boolean, over: Partial<OptimisticReaction> = {}): OptimisticReaction => ({
  isMine,
  rev: 5,
  isConfirmed: false,
  ...over,
})
const shown = (users: User[], mine?: OptimisticReaction, more = 0) => {
  const [reaction] = shownReactions(message(users, more), mine ? { '👍': mine } : {}, ada)
  return reaction && { count: reaction.count, names: reaction.users.map(({ id }) => id), isMine: reaction.isMine }
}

test('an optimistic reaction shows at once, and is not counted twice when the message includes it', () => {
  expect(shown([bob])).toEqual({ count: 1, names: ['bob'], isMine: false })
  expect(shown([bob], choice(true))).toEqual({ count: 2, names: ['ada', 'bob'], isMine: true })
  expect(shown([bob, ada], choice(true))).toEqual({ count: 2, names: ['ada', 'bob'], isMine: true })
  expect(shown([bob, ada], choice(false))).toEqual({ count: 1, names: ['bob'], isMine: false })
  expect(shown([bob], choice(false))).toEqual({ count: 1, names: ['bob'], isMine: false })
})

test('an emoji that only I reacted with comes last; an emoji without reactions disappears', () => {
  const both = shownReactions(message([bob]), { '🎉': choice(true) }, ada)
  expect(both.map(({ emoji, count }) => [emoji, count])).toEqual([
    ['👍', 1],
    ['🎉', 1],
  ])
  expect(shown([ada], choice(false))).toBeUndefined()
})

test('a confirmed reaction yields to a later revision of the message', () => {
  const confirmed = choice(true, { isConfirmed: true })
  expect(isMine(message([bob]), '👍', confirmed, 'ada')).toBe(true)
  // Removed on another device.
  const later = { ...message([bob]), rev: 6 }
  expect(isMine(later, '👍', confirmed, 'ada')).toBe(false)
  expect(isMine(later, '👍', choice(true), 'ada')).toBe(true)
})

test('if not all users are listed, only my choice determines whether I reacted', () => {
  expect(isMine(message(crowd, 3), '👍', undefined, 'ada')).toBeUndefined()
  expect(shown(crowd, undefined, 3)).toMatchObject({ count: 53, isMine: false })
  // The count may already include the viewer: only the event decides.
  expect(shown(crowd, choice(true), 3)).toMatchObject({ count: 53, isMine: true })
  const afterwards = { ...message(crowd, 4), rev: 9 }
  expect(isMine(afterwards, '👍', choice(true, { isConfirmed: true }), 'ada')).toBe(true)
  expect(isMine(message([...crowd.slice(1), ada], 3), '👍', undefined, 'ada')).toBe(true)
})

test('the users who reacted are named in a sentence', () => {
  const say = (users: User[], count = users.length) =>
    whoReacted({ emoji: '👍', count, users, isMine: users.includes(ada) }, 'ada')
  expect(say([bob])).toBe('Bob reacted with 👍')
  expect(say([ada, bob])).toBe('You and Bob reacted with 👍')
  expect(say([ada, bob, eve])).toBe('You, Bob and Eve reacted with 👍')
  expect(say([bob, eve, ...crowd.slice(0, 3)])).toBe('Bob, Eve and 3 others reacted with 👍')
  expect(say(crowd, 73)).toBe('Person 0, Person 1 and 71 others reacted with 👍')
})
