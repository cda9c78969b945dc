import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { limits } from '#contract/limits'
import { readAll, zipOf } from '../../test/support/import-archive.ts'
import { MAX_CHANNELS, MAX_EMOJI, MAX_MEMBERS, MAX_PEOPLE } from '../archive/bounds.ts'
import { openArchive } from '../archive/open-archive.ts'
import type { ImportReader } from '../records.ts'
import { mattermostReader } from './mattermost.ts'
import { parleyReader } from './parley/parley.ts'
import { rocketchatReader } from './rocketchat/rocketchat.ts'
import { slackReader } from './slack/slack.ts'
import { zulipReader } from './zulip/zulip.ts'

/** So many that copying a list for each entry takes minutes. */
const MANY = 100_000
const each = <Item>(item: (index: number) => Item) => Array.from({ length: MANY }, (_, index) => item(index))

it('Slack: any number of entries of one reaction is read', async () => {
  const { messages, people } = await readAll(slackReader, {
    'users.json': [{ id: 'U1', name: 'ada' }, ...each((index) => ({ id: `U${index}`, name: `u${index}` }))],
    'channels.json': [{ id: 'C1', name: 'general', members: ['U1'] }],
    'general/2024-01-23.json': [
      {
        ...{ type: 'message', user: 'U1', ts: '1706000000.000100', text: 'hi' },
        reactions: each((index) => ({ name: 'wave', users: [`U${index}`] })),
      },
    ],
  })
  expect(messages[0]?.reactions.map(({ personKeys }) => personKeys.length)).toEqual([MANY])
  expect(people).toHaveLength(MANY)
})

it('Zulip: any number of subscribers, reactions and files is read', async () => {
  const { channels, messages } = await readAll(zulipReader, {
    'realm.json': {
      zerver_userprofile: each((index) => ({ id: index + 1, full_name: `U${index}` })),
      zerver_stream: [{ id: 5, name: 'general' }],
      zerver_recipient: [{ id: 50, type: 2, type_id: 5 }],
      zerver_subscription: each((index) => ({ recipient: 50, user_profile: index + 1 })),
      zerver_reaction: each((index) => ({
        ...{ message: 100, user_profile: index + 1, emoji_name: 'wave' },
        ...{ emoji_code: '1f44b', reaction_type: 'unicode_emoji' },
      })),
    },
    'attachment.json': {
      zerver_attachment: [{ id: 1, file_name: 'a.txt', path_id: 'a', size: 5, messages: each(() => 100) }],
    },
    'messages-000001.json': {
      zerver_message: [
        { id: 100, sender: 1, recipient: 50, subject: '', content: 'hi', date_sent: 1_706_000_000 },
        { id: 101, sender: 1, recipient: 50, subject: '', content: 'hi', date_sent: 1_706_000_001 },
      ],
    },
  })
  expect(channels[0]?.memberKeys).toHaveLength(MANY)
  expect(messages[0]?.reactions.map(({ personKeys }) => personKeys.length)).toEqual([MANY])
  expect(messages.filter(({ key }) => key.startsWith('100'))).toHaveLength(MANY / limits.attachments)
})

const listOf = <Item>(length: number, item: (index: number) => Item) =>
  Array.from({ length }, (_, index) => item(index))
/** A million characters that hardly can be compressed. */
const LONG_NAME = each((index) => createHash('sha1').update(`${index}`).digest('hex').slice(0, 10)).join('')
const MEMBERS = each((n) => `U${n}`)
const recipients = (type: number) => listOf(MAX_CHANNELS + 1, (id) => ({ id, type, type_id: id }))

const TOO_MANY: [string, ImportReader, string, Record<string, unknown>][] = [
  [
    'channels of Slack',
    slackReader,
    'tooManyChannels',
    { 'users.json': [], 'channels.json': listOf(MAX_CHANNELS + 1, (n) => ({ id: `C${n}`, name: `c${n}` })) },
  ],
  [
    'people of Slack',
    slackReader,
    'tooManyPeople',
    { 'users.json': listOf(MAX_PEOPLE + 1, (n) => ({ id: `U${n}`, name: `u${n}` })), 'channels.json': [] },
  ],
  [
    'members of the channels of Slack',
    slackReader,
    'tooManyMembers',
    { 'users.json': [], 'channels.json': listOf(MAX_MEMBERS / MANY + 1, (n) => ({ id: `C${n}`, members: MEMBERS })) },
  ],
  [
    'members of the channels of Mattermost',
    mattermostReader,
    'tooManyMembers',
    {
      'import.jsonl': [
        { type: 'version', version: 1 },
        { type: 'channel', channel: { team: 't', name: 'c', type: 'O' } },
        ...listOf(MAX_MEMBERS / MANY + 1, (n) => ({
          type: 'user',
          user: { username: `u${n}`, teams: [{ name: 't', channels: each((index) => ({ name: 'c', index })) }] },
        })),
      ]
        .map((line) => JSON.stringify(line))
        .join('\n'),
    },
  ],
  [
    'members of the conversations of Mattermost',
    mattermostReader,
    'tooManyMembers',
    {
      'import.jsonl': [
        { type: 'version', version: 1 },
        ...listOf(MAX_MEMBERS / MANY + 1, (n) => ({
          type: 'direct_channel',
          direct_channel: { members: [...MEMBERS, `V${n}`] },
        })),
      ]
        .map((line) => JSON.stringify(line))
        .join('\n'),
    },
  ],
  [
    'members of the conversations of Rocket.Chat',
    rocketchatReader,
    'tooManyMembers',
    {
      'rocketchat_message.json': '',
      'rocketchat_room.json': listOf(MAX_MEMBERS / MANY + 1, (n) =>
        JSON.stringify({ _id: `r${n}`, t: 'd', uids: MEMBERS }),
      ).join('\n'),
    },
  ],
  [
    'members of the topics of Zulip',
    { ...zulipReader, read: (archive, report) => zulipReader.read(archive, report, { topics: 'channels' }) },
    'tooManyMembers',
    {
      'realm.json': {
        zerver_stream: [{ id: 1, name: 'general', invite_only: true }],
        zerver_recipient: [{ id: 1, type: 2, type_id: 1 }],
        zerver_subscription: listOf(MANY, (id) => ({ recipient: 1, user_profile: id })),
      },
      'messages-000001.json': {
        zerver_message: listOf(MAX_MEMBERS / MANY + 1, (id) => ({
          ...{ id, sender: 1, recipient: 1, subject: `topic ${id}`, content: 'hi', date_sent: 1_706_000_000 },
        })),
      },
    },
  ],
  [
    'names of emoji of Mattermost',
    mattermostReader,
    'tooManyEmoji',
    {
      'import.jsonl': [
        { type: 'version', version: 1 },
        ...listOf(MAX_EMOJI / 1000 + 1, (n) => ({
          type: 'post',
          post: {
            ...{ user: 'ada', message: 'hi', create_at: 1_706_000_000_000 + n },
            reactions: listOf(1000, (index) => ({ user: 'ada', emoji_name: `e${n}_${index}` })),
          },
        })),
      ]
        .map((line) => JSON.stringify(line))
        .join('\n'),
    },
  ],
  [
    'characters in the names of people of Slack',
    slackReader,
    'tooManyPeople',
    { 'users.json': listOf(80, (n) => ({ id: `${n}${LONG_NAME}`, name: 'ada' })), 'channels.json': [] },
  ],
  [
    'channels of Parley',
    parleyReader,
    'tooManyChannels',
    {
      'manifest.json': { format: 'parley-export', version: 1 },
      'data/people.jsonl': '',
      'data/channels.jsonl': listOf(MAX_CHANNELS + 1, (n) => `{"id":"c${n}","name":"c${n}","kind":"public"}`).join(
        '\n',
      ),
    },
  ],
  [
    'conversations of Zulip, which only messages name',
    zulipReader,
    'tooManyChannels',
    {
      'realm.json': { zerver_userprofile: [{ id: 1, full_name: 'Ada' }], zerver_recipient: recipients(1) },
      'messages-000001.json': {
        zerver_message: listOf(MAX_CHANNELS + 1, (n) => ({
          ...{ id: n + 1, sender: 1, recipient: n, subject: '', content: 'hi', date_sent: 1_706_000_000 },
        })),
      },
    },
  ],
]
it.each(TOO_MANY)('more %s than can be held in memory are refused', async (_, reader, reason, contents) => {
  const archive = await openArchive(await zipOf(contents))
  const records = reader.read(archive, { add: () => undefined })
  const reading = (async () => {
    for await (const record of records) if (record.kind === 'message') break
  })()
  await expect(reading).rejects.toMatchObject({ reason })
  await archive.close()
})
