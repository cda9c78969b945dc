import { expect, test } from 'vitest'
import { actionableOf, badgeIn, closedBy, neutral, ownPath, pathOf, replyPathOf, shownOf } from './push-content.ts'

const NOW = Date.parse('2026-12-01T12:00:00.000Z')
/** Of a message that was sent at 11:00. */
const ID = '019ad9b7-f280-7000-8000-000000000000'
const SENT = Number.parseInt(ID.replaceAll('-', '').slice(0, 12), 16)
const message = { id: ID, channelId: '019ad9b7-f280-7000-8000-000000000001', threadId: null, seq: 1 }
const pushed = {
  tag: ID,
  title: 'Ada in #launch',
  text: 'see **this**\nand [that](https://example.com)',
  reason: 'You were mentioned',
  path: `/channels/${message.channelId}?message=${ID}`,
  language: 'ar',
  direction: 'rtl',
  message,
}

test('a message shows its text without markup, and the reason below', () => {
  expect(SENT).toBeLessThan(NOW)
  expect(shownOf(pushed, NOW)).toEqual({
    title: 'Ada in #launch',
    options: {
      body: 'see this and that\nYou were mentioned',
      tag: ID,
      lang: 'ar',
      dir: 'rtl',
      icon: '/icon-192.png',
      badge: '/icon-monochrome.png',
      timestamp: SENT,
      renotify: false,
      data: { path: pushed.path, message, reason: 'You were mentioned' },
    },
  })
})

test('a message of a clock that is ahead, and what is no message, are from now', () => {
  expect(shownOf(pushed, SENT - 1).options.timestamp).toBe(SENT - 1)
  expect(shownOf({ ...pushed, message: undefined }, NOW).options.timestamp).toBe(NOW)
  expect(shownOf({ ...pushed, message: { ...message, id: 'none' } }, NOW).options.timestamp).toBe(NOW)
})

test.each([
  ['nothing', undefined],
  ['a text', 'text'],
  ['null', null],
  ['a list', [pushed]],
  ['something without a title', { ...pushed, title: undefined }],
  ['a title that is no text', { ...pushed, title: { toString: 'x' } }],
])('%s shows a notification that only names the app', (_, content) => {
  expect(shownOf(content, NOW)).toEqual(neutral(NOW))
  expect(neutral(NOW).title).toBe('Parley')
})

test('fields that are not understood are left out', () => {
  const { title, options } = shownOf(
    { title: 'Ada', tag: 7, text: {}, reason: ['x'], language: 1, direction: 'up', message: { id: 1 }, actions: [] },
    NOW,
  )
  expect([title, options.body, options.data]).toEqual(['Ada', '', { path: '/' }])
  for (const name of ['tag', 'lang', 'dir', 'actions']) expect(options).not.toHaveProperty(name)
})

test.each([
  ['/channels/a?message=b#c', '/channels/a?message=b#c'],
  ['/later', '/later'],
  ['//example.com/x', '/'],
  ['/\\example.com', '/'],
  ['/\t/example.com', '/'],
  ['///example.com', '/'],
  ['//', '/'],
  ['/\\', '/'],
  ['//[', '/'],
  ['//a b', '/'],
  ['//:80', '/'],
  ['https://example.com', '/'],
  ['javascript:alert(1)', '/'],
  ['channels/a', '/'],
  ['/x/..//example.com', '/'],
  ['', '/'],
  [undefined, '/'],
  [{}, '/'],
])('%j leads to %s', (path, target) => {
  expect(ownPath(path)).toBe(target)
  expect(pathOf({ data: { path } })).toBe(target)
})

test('a notification without data leads to the start page', () => {
  expect([pathOf({}), pathOf({ data: null }), pathOf({ data: 'x' })]).toEqual(['/', '/', '/'])
})

test('a notification closes those that it names', () => {
  expect(closedBy({ closes: ['a', 7, '', 'b'] })).toEqual(['a', 'b'])
  for (const closes of [undefined, null, 'a', { 0: 'a' }]) expect(closedBy({ closes })).toEqual([])
})

const texts = {
  reply: 'Reply',
  replyPlaceholder: 'Write a reply',
  replyKept: 'Not sent yet',
  replyFailed: 'Not sent',
  read: 'Mark as read',
  readFailed: 'Couldn’t be marked as read',
}
const toReply = { action: 'reply', type: 'text', title: 'Reply', placeholder: 'Write a reply' }
const toRead = { action: 'read', type: 'button', title: 'Mark as read' }

test.each([
  ['a reply goes somewhere', { to: 'bob', actions: texts, message: { ...message, replyTo: ID } }, [toReply, toRead]],
  ['to the conversation', { to: 'bob', actions: texts, message: { ...message, replyTo: null } }, [toReply, toRead]],
  ['no reply is possible', { to: 'bob', actions: texts }, [toRead]],
  ['its person is unknown', { actions: texts }, undefined],
  ['a text is missing', { to: 'bob', actions: { ...texts, read: '' } }, undefined],
  ['there are no texts', { to: 'bob', actions: [] }, undefined],
  ['it is of no message', { to: 'bob', actions: texts, message: undefined }, undefined],
])('the buttons if %s', (_, more, expected) => {
  const { options } = shownOf({ ...pushed, ...more }, NOW)
  expect(options.actions).toEqual(expected)
  expect(actionableOf(options) !== undefined).toBe(expected !== undefined)
})

test.each([
  [null, pushed.path],
  [ID, `${pushed.path}&thread=${ID}`],
])('a reply to %s is written there', (replyTo, path) => {
  const { options } = shownOf({ ...pushed, to: 'bob', actions: texts, message: { ...message, replyTo } }, NOW)
  const data = actionableOf(options)
  expect(data && replyPathOf(data)).toBe(path)
})

test('the reason is kept for whoever opens it', () => {
  const { data } = shownOf({ ...pushed, to: 'bob', rule: 'mention' }, NOW).options
  expect(data).toMatchObject({ to: 'bob', rule: 'mention', reason: 'You were mentioned' })
})

test.each([
  [{ badge: 3 }, 3],
  [{ badge: '3' }, undefined],
  [undefined, undefined],
])('the badge of %j', (content, expected) => {
  expect(badgeIn(content)).toBe(expected)
})
