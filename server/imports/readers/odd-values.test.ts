import { expect, it } from 'vitest'
import { type Contents, readAll, shownContent } from '../../test/support/import-archive.ts'
import { numberOf } from './common/values.ts'
import { slackReader } from './slack/slack.ts'
import { zulipReader } from './zulip/zulip.ts'

const slack = (message: object, more: Contents = {}) =>
  readAll(slackReader, {
    'users.json': [{ id: 'U1', name: 'ada' }],
    'channels.json': [{ id: 'C1', name: 'general', members: ['U1'] }],
    'general/2024-01-23.json': [{ type: 'message', user: 'U1', ts: '1706000000.000100', ...message }],
    ...more,
  })
const richText = (...elements: object[]) => ({ blocks: [{ type: 'rich_text', elements }] })

it('numbers are those of numbers and numeric texts only', () => {
  expect([7, '7', ' -1.5 ', 1e3].map(numberOf)).toEqual([7, 7, -1.5, 1000])
  for (const value of ['', ' ', 'x', null, undefined, true, [7], {}, { toString: 1 }, { valueOf: 1, toString: 1 }])
    expect(numberOf(value)).toBeNaN()
})

it('Slack: objects in place of numbers do not end the import', async () => {
  const odd = { toString: 1 }
  const list = (offset: unknown) => ({
    ...{ type: 'rich_text_list', style: 'ordered', indent: odd, offset },
    elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'one' }] }],
  })
  const { messages } = await slack({
    ...richText(list(odd), list(4), list(-7), { elements: [{ type: 'emoji', name: 'wave', skin_tone: odd }] }),
    reply_count: odd,
  })
  expect(shownContent(messages[0]?.content ?? [])).toBe('1. one\n5. one\n1. one\n\n👋')
})

it('Slack: a list of any length is read', async () => {
  const { messages } = await slack(
    richText({ type: 'rich_text_list', elements: Array.from({ length: 200_000 }, () => ({})) }),
  )
  expect(messages.length).toBeGreaterThan(10)
})

it('Slack: an emoji keeps some of its aliases', async () => {
  const names = Array.from({ length: 300_000 }, (_, index) => `a${index}`)
  const { emoji } = await slack({}, { 'emoji/party.png': 'x', 'emoji.json': { party: { aliases: names } } })
  expect(emoji[0]?.aliases).toEqual(names.slice(0, 200))
})

it('Zulip: an object in place of a kind of recipient does not end the import', async () => {
  const { messages, omitted } = await readAll(zulipReader, {
    'realm.json': {
      zerver_userprofile: [{ id: 1, full_name: 'Ada' }],
      zerver_stream: [{ id: 5, name: 'general' }],
      zerver_recipient: [
        { id: 50, type: '2', type_id: 5 },
        { id: 51, type: { toString: 1 }, type_id: 5 },
      ],
    },
    'messages-000001.json': {
      zerver_message: [50, 51].map((recipient) => ({
        ...{ id: recipient, sender: 1, recipient, subject: '', content: 'hi', date_sent: 1_706_000_000 },
      })),
    },
  })
  expect(messages.map(({ channelKey }) => channelKey)).toContain('stream 5')
  expect(omitted.unknownPerson).toBeUndefined()
})

it('Zulip: a missing person is in no list of members', async () => {
  const { channels, messages, omitted } = await readAll(zulipReader, {
    'realm.json': {
      zerver_userprofile: [{ id: 1, full_name: 'Ada' }],
      zerver_stream: [{ id: 5, name: 'general' }],
      zerver_recipient: [
        { id: 50, type: 2, type_id: 5 },
        { id: 51, type: 1, type_id: null },
        { id: 52, type: 3, type_id: 9 },
      ],
      zerver_subscription: [50, 52].flatMap((recipient) =>
        [1, null].map((user_profile) => ({ recipient, user_profile })),
      ),
    },
    'messages-000001.json': {
      zerver_message: [50, 51, 52, 51].map((recipient, index) => ({
        ...{ id: 100 + index, sender: index < 3 ? 1 : null, recipient, subject: '', content: 'hi' },
        date_sent: 1_706_000_000 + index,
      })),
    },
  })
  expect(channels.map(({ key, memberKeys }) => [key, memberKeys])).toEqual([
    ['stream 5', ['1']],
    ['direct 1', ['1']],
  ])
  expect(messages.map(({ key, channelKey }) => [key, channelKey])).toEqual([
    ['100', 'stream 5'],
    ['101', 'direct 1'],
    ['102', 'direct 1'],
  ])
  expect(omitted).toEqual({ unknownMessage: ['103'] })
})
