import { expect, test } from 'vitest'
import { decideNotification, levelOf, type NotificationFacts, notificationLevels } from './notification-rule.ts'

const channel: NotificationFacts = {
  isOwn: false,
  isMember: true,
  isDirect: false,
  isReply: false,
  followsThread: false,
  mention: null,
  isMuted: false,
  level: 'mentions',
  isQuiet: false,
}
const direct = { ...channel, isDirect: true, level: 'everything' } as const
const reply = { ...channel, isReply: true } as const
const followed = { ...reply, followsThread: true } as const
const named = { mention: 'name' } as const

test.each<[string, NotificationFacts, string]>([
  ['a message in a channel', channel, 'unread onlyMentions'],
  ['my own message', { ...direct, isOwn: true }, 'nothing own'],
  ['a channel that I am not in', { ...channel, ...named, isMember: false }, 'nothing notMember'],
  ['a direct message', direct, 'notify direct'],
  ['a direct message that mentions me', { ...direct, ...named }, 'notify direct'],
  ['a mention by name', { ...channel, ...named }, 'notify mention'],
  ['a mention of a group of mine', { ...channel, mention: 'group' }, 'notify group'],
  ['a mention of everyone', { ...channel, mention: 'everyone' }, 'notify everyone'],

  ['a reply in a thread that I do not follow', reply, 'nothing notFollowed'],
  ['… to everyone', { ...reply, mention: 'everyone' }, 'nothing notFollowed'],
  ['… in a direct message', { ...reply, isDirect: true, level: 'everything' }, 'nothing notFollowed'],
  ['… with everything chosen', { ...reply, level: 'everything' }, 'nothing notFollowed'],
  ['… that mentions me by name', { ...reply, ...named }, 'notify mention'],
  ['a reply in a thread that I follow', followed, 'notify thread'],
  ['… to everyone', { ...followed, mention: 'everyone' }, 'notify everyone'],
  ['… in a direct message', { ...followed, isDirect: true, level: 'everything' }, 'notify thread'],

  ['everything: a message', { ...channel, level: 'everything' }, 'notify everything'],
  ['everything: a mention', { ...channel, ...named, level: 'everything' }, 'notify mention'],
  ['mentions in a direct message: a message', { ...direct, level: 'mentions' }, 'badge onlyMentions'],
  ['mentions in a direct message: a mention', { ...direct, ...named, level: 'mentions' }, 'notify mention'],
  ['nothing: a message', { ...channel, level: 'nothing' }, 'unread levelNothing'],
  ['nothing: a mention', { ...channel, ...named, level: 'nothing' }, 'badge levelNothing'],
  ['nothing: a reply that I follow', { ...followed, level: 'nothing' }, 'unread levelNothing'],
  ['nothing: a direct message', { ...direct, level: 'nothing' }, 'badge levelNothing'],

  ['muted: a message', { ...channel, isMuted: true }, 'nothing muted'],
  ['muted: a mention', { ...channel, ...named, isMuted: true }, 'badge muted'],
  ['muted: a direct message', { ...direct, isMuted: true }, 'nothing muted'],
  ['muted: with everything chosen', { ...channel, isMuted: true, level: 'everything' }, 'nothing muted'],

  ['do not disturb: a direct message', { ...direct, isQuiet: true }, 'badge quiet'],
  ['do not disturb: a mention', { ...channel, ...named, isQuiet: true }, 'badge quiet'],
  ['do not disturb: with everything chosen', { ...channel, level: 'everything', isQuiet: true }, 'unread quiet'],
  ['do not disturb: a message', { ...channel, isQuiet: true }, 'unread onlyMentions'],
])('%s: %o → %s', (_, facts, expected) => {
  const { effect, rule } = decideNotification(facts)
  expect(`${effect} ${rule}`).toBe(expected)
})

test('muting, do not disturb and a lower level never add a notification', () => {
  const loudness = { nothing: 0, unread: 1, badge: 2, notify: 3 }
  const loudnessOf = (facts: NotificationFacts) => loudness[decideNotification(facts).effect]
  const yesNo = [true, false]
  for (const isDirect of yesNo)
    for (const isReply of yesNo)
      for (const followsThread of yesNo)
        for (const mention of ['name', 'group', 'everyone', null] as const)
          for (const [index, level] of notificationLevels.entries()) {
            const facts = { ...channel, isDirect, isReply, followsThread, mention, level }
            const loud = loudnessOf(facts)
            expect(loudnessOf({ ...facts, isMuted: true })).toBeLessThanOrEqual(loud)
            expect(loudnessOf({ ...facts, isQuiet: true })).toBeLessThanOrEqual(loud)
            const lower = notificationLevels[index + 1]
            if (lower) expect(loudnessOf({ ...facts, level: lower })).toBeLessThanOrEqual(loud)
          }
})

test('the level is the one of the conversation, else everything in direct messages, else my default', () => {
  expect(levelOf({ kind: 'public' }, 'nothing')).toBe('nothing')
  expect(levelOf({ kind: 'private', notificationLevel: null }, 'everything')).toBe('everything')
  expect(levelOf({ kind: 'private', notificationLevel: 'mentions' }, 'everything')).toBe('mentions')
  expect(levelOf({ kind: 'direct', notificationLevel: null }, 'nothing')).toBe('everything')
  expect(levelOf({ kind: 'direct', notificationLevel: 'nothing' }, 'mentions')).toBe('nothing')
})
