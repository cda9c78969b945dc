import { expect, it } from 'vitest'
import { readAll, shownContent } from '../../test/support/import-archive.ts'
import { discordReader } from './discord/discord.ts'
import { slackReader } from './slack/slack.ts'
import { zulipReader } from './zulip/zulip.ts'

it('Zulip: the messages to a group without members stay with their senders', async () => {
  const { channels, messages } = await readAll(zulipReader, {
    'realm.json': {
      zerver_userprofile: [1, 2].map((id) => ({ id, full_name: `U${id}` })),
      zerver_recipient: [{ id: 50, type: 3, type_id: 9 }],
    },
    'messages-000001.json': {
      zerver_message: [1, 2, 1].map((sender, index) => ({
        ...{ id: 100 + index, sender, recipient: 50, subject: '', content: 'hi', date_sent: 1_706_000_000 + index },
      })),
    },
  })
  expect(channels.map(({ key, memberKeys }) => [key, memberKeys])).toEqual([
    ['direct 1', ['1']],
    ['direct 2', ['2']],
  ])
  expect(messages.map(({ channelKey, authorKey }) => [channelKey, authorKey])).toEqual([
    ['direct 1', '1'],
    ['direct 1', '1'],
    ['direct 2', '2'],
  ])
})

it('Slack: replies without a valid time of their thread are not mixed', async () => {
  const said = (second: number, thread_ts: string) => ({
    ...{ type: 'message', user: 'U1', text: thread_ts, ts: `170600000${second}.000100`, thread_ts },
  })
  const { messages } = await readAll(slackReader, {
    'users.json': [],
    'channels.json': [{ id: 'C1', name: 'general' }],
    'general/2024-01-23.json': [said(1, 'one'), said(2, 'another'), said(3, 'one')],
  })
  expect(messages.map(({ content, parentKey }) => [shownContent(content), parentKey])).toEqual([
    ['one', null],
    ['another', null],
    ['one', 'C1:1706000001.000100'],
  ])
})

it('Discord: a channel in several files lists each member once, and a quote cuts a long name', async () => {
  const part = (id: string, name: string, more = {}) => ({
    ...{ guild: { id: '1' }, channel: { id: '100', type: 'GuildTextChat', name: 'general' } },
    messages: [
      { id, type: 'Default', timestamp: `2024-01-23T10:00:0${id}Z`, content: 'hi', author: { id: '10', name } },
      {
        ...{ id: `${id}0`, type: 'Reply', timestamp: `2024-01-23T10:01:0${id}Z`, content: 'yes' },
        ...{ author: { id: `2${id}`, name: 'bob' }, reference: { messageId: id }, ...more },
      },
    ],
  })
  const { channels, messages } = await readAll(discordReader, {
    'general (1).json': part('1', 'a'.repeat(100_000)),
    'general (2).json': part('2', 'ada'),
  })
  expect(channels.map(({ memberKeys }) => memberKeys)).toEqual([['10', '21', '22']])
  const quotes = messages.map(({ content }) => shownContent(content)).filter((text) => text.startsWith('>'))
  expect(quotes[0]?.length).toBeLessThan(300)
  expect(quotes[1]).toContain('ada: hi')
})
