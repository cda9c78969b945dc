import { expect, it, vi } from 'vitest'
import { type Contents, readAll, shownContent } from '../../test/support/import-archive.ts'
import type { ImportFormat } from '../records.ts'
import { renderContent } from '../render-content.ts'
import { timeOfText } from './common/values.ts'
import { parleyReader } from './parley.ts'
import { parleyText } from './parley-text.ts'
import { readers } from './readers.ts'
import { rocketchatReader } from './rocketchat.ts'
import { zulipReader } from './zulip.ts'

const lines = (...values: unknown[]) =>
  values.map((it) => (typeof it === 'string' ? it : JSON.stringify(it))).join('\n')
const MS = 1_706_000_000_000

const zulip: Contents = {
  'realm.json': {
    zerver_userprofile: [
      { id: 1, full_name: 'Ada', delivery_email: 'ada@x.example', is_active: true },
      { id: 2, full_name: 'Bob B', email: 'user2@zulip.x.example', is_active: false, is_bot: false },
    ],
    zerver_stream: [{ id: 5, name: 'general', description: 'All', invite_only: false, date_created: 1_700_000_000.5 }],
    zerver_recipient: [
      { id: 50, type: 2, type_id: 5 },
      { id: 51, type: 1, type_id: 2 },
      { id: 52, type: 3, type_id: 9 },
    ],
    zerver_subscription: [
      { recipient: 50, user_profile: 1, active: true },
      { recipient: 52, user_profile: 1 },
      { recipient: 52, user_profile: 2 },
    ],
    zerver_reaction: [
      { message: 100, user_profile: 2, emoji_name: 'thumbs_up', emoji_code: '1f44d', reaction_type: 'unicode_emoji' },
    ],
    zerver_realm: [{ id: 1 }],
  },
  'attachment.json': {
    zerver_attachment: [{ id: 1, file_name: 'a.txt', path_id: '1/ab/a.txt', size: 5, messages: [100] }],
  },
  'uploads/1/ab/a.txt': 'bytes',
  'messages-000001.json': {
    zerver_message: [
      {
        id: 100,
        sender: 1,
        recipient: 50,
        subject: 'Lunch *today*',
        content: 'see @**Bob B** [a.txt](/user_uploads/1/ab/a.txt)',
        date_sent: 1_706_000_000.25,
      },
      {
        id: 101,
        sender: 2,
        recipient: 50,
        subject: 'lunch *today*',
        content: '```quote\nsee\n```\n#**general** #**general>x@100** :smile:',
        date_sent: 1_706_000_001,
      },
      { id: 102, sender: 2, recipient: 50, subject: '', content: 'no topic', date_sent: 1_706_000_002 },
      { id: 103, sender: 1, recipient: 51, subject: '', content: 'psst', date_sent: 1_706_000_003 },
      { id: 104, sender: 1, recipient: 52, subject: '', content: '@**all** `@**Ada**`', date_sent: 1_706_000_004 },
    ],
    zerver_usermessage: [],
  },
}

it('Zulip: topics become threads, with quotes, files and direct messages', async () => {
  const { people, channels, messages, omitted } = await readAll(zulipReader, zulip)
  expect(people.map(({ name, email, isDeactivated }) => [name, email, isDeactivated])).toEqual([
    ['Ada', 'ada@x.example', false],
    ['Bob B', null, true],
  ])
  expect(channels.map(({ key, visibility, memberKeys }) => [key, visibility, memberKeys])).toEqual([
    ['stream 5', 'public', ['1']],
    ['direct 1,2', 'direct', ['1', '2']],
  ])
  expect(messages.map(({ key, parentKey, content }) => [key, parentKey, shownContent(content)])).toEqual([
    ['100', null, '**Lunch \\*today\\***\n\nsee {@2}'],
    ['101', '100', '> see\n\n{#stream 5} {message 100} 😄'],
    ['102', null, 'no topic'],
    ['103', null, 'psst'],
    ['104', null, '{@channel} `@**Ada**`'],
  ])
  expect(messages[0]).toMatchObject({
    createdAt: '2024-01-23T08:53:20.250000Z',
    reactions: [{ emoji: '👍', personKeys: ['2'] }],
    files: [{ name: 'a.txt', size: 5 }],
  })
  expect(omitted).toEqual({})
})

const rocketchat: Contents = {
  'users.json': lines(
    { _id: 'u1', username: 'ada', name: 'Ada', emails: [{ address: 'a@x.example' }], active: true },
    { _id: 'u2', username: 'bob', type: 'bot' },
  ),
  'rocketchat_room.json': [
    { _id: 'r1', t: 'c', name: 'general', topic: 'All', ts: { $date: '2024-01-01T00:00:00Z' }, u: { _id: 'u1' } },
    { _id: 'r2', t: 'd', uids: ['u1', 'u2'] },
    { _id: 'r3', t: 'l' },
  ],
  'rocketchat_subscription.json': lines({ rid: 'r1', u: { _id: 'u2' } }),
  'rocketchat_message.json': lines(
    {
      _id: 'm2',
      rid: 'r1',
      msg: 'reply',
      tmid: 'm1',
      ts: { $date: { $numberLong: `${MS + 1000}` } },
      u: { _id: 'u2' },
    },
    {
      _id: 'm1',
      rid: 'r1',
      msg: '*bold* @ada. #general :smile: `*x*`',
      ts: { $date: MS && '2024-01-23T08:53:20Z' },
      u: { _id: 'u1' },
      reactions: { ':+1:': { usernames: ['bob'] } },
    },
    {
      _id: 'm3',
      rid: 'r1',
      msg: '[ ](https://x/channel/general?msg=m1) so',
      ts: { $date: '2024-01-23T08:54:00Z' },
      u: { _id: 'u9', username: 'gone' },
      attachments: [
        { title: 'a.png', title_link: '/file-upload/f1/a.png' },
        { text: 'quoted', message_link: 'x' },
      ],
    },
    { _id: 'm4', rid: 'r1', t: 'uj', msg: 'ada', ts: { $date: '2024-01-23T08:54:00Z' }, u: { _id: 'u1' } },
    { _id: 'm5', rid: 'r2', msg: 'psst', ts: { $date: '2024-01-23T08:54:00Z' }, u: { _id: 'u1' } },
  ),
}

it('Rocket.Chat: collections as lines or lists, threads, quotes and direct messages', async () => {
  const { people, channels, messages, omitted } = await readAll(rocketchatReader, rocketchat)
  expect(people.map(({ key, isBot, isDeactivated }) => [key, isBot, isDeactivated])).toEqual([
    ['u1', false, false],
    ['u2', true, false],
    ['u9', false, true],
  ])
  expect(channels.map(({ key, visibility, memberKeys }) => [key, visibility, memberKeys])).toEqual([
    ['r1', 'public', ['u2']],
    ['r2', 'direct', ['u1', 'u2']],
  ])
  expect(messages.map(({ key, parentKey, content }) => [key, parentKey, shownContent(content)])).toEqual([
    ['m1', null, '**bold** {@u1}. {#r1} 😄 `*x*`'],
    ['m2', 'm1', 'reply'],
    ['m3', null, '{message m1} so'],
    ['m5', null, 'psst'],
  ])
  expect(messages[0]).toMatchObject({
    createdAt: '2024-01-23T08:53:20.000Z',
    reactions: [{ emoji: '👍', personKeys: ['u2'] }],
  })
  expect(omitted).toMatchObject({ missingFile: ['a.png'], systemMessage: ['r1: m4 uj'], unknownPerson: ['gone'] })
})

const parleyMessage = (id: string, more = {}) => ({
  id,
  channelId: 'c1',
  threadId: null,
  userId: 'p1',
  seq: 1,
  content: '',
  createdAt: '2024-01-23T08:53:20.123Z',
  editedAt: null,
  deletedAt: null,
  mentions: [],
  broadcast: null,
  reactions: [],
  files: [],
  ...more,
})
const parley: Contents = {
  'manifest.json': { format: 'parley-export', version: 1, scope: 'all' },
  'data/people.jsonl': lines({ id: 'p1', username: 'ada', name: 'Ada', deactivatedAt: null }),
  'data/channels.jsonl': lines({
    id: 'c1',
    kind: 'private',
    name: 'lab',
    topic: '',
    ownerId: 'p1',
    createdAt: '2024-01-01T00:00:00.000Z',
    memberIds: ['p1', 'p2'],
  }),
  'data/messages/c1.jsonl': lines(
    parleyMessage('m1', {
      content: '**a** @ada, @all `@ada`',
      mentions: [{ userId: 'p1', username: 'ada' }],
      broadcast: 'channel',
      reactions: [{ emoji: '👍', count: 1, userIds: ['p1'] }],
      files: [{ id: 'f1', name: 'a.txt', size: 5, path: 'files/f1/a.txt' }],
    }),
    parleyMessage('m2', { threadId: 'm1', content: '@all is not everyone here' }),
    parleyMessage('m3', { deletedAt: '2024-01-24T00:00:00.000Z' }),
  ),
  'data/files/c1.jsonl': lines({ id: 'f1', messageId: 'm1', path: 'files/f1/a.txt' }),
  'files/f1/a.txt': 'bytes',
}

it("in Parley's own export, links to messages and channels lead to the imported ones", () => {
  const [channel, message] = ['01a215d8-95bc-721c-b1e8-4d15f3e09a41', '01a215d8-95bc-721c-b1e8-4d15f3e09a42']
  const path = `/channels/${channel}?message=${message}`
  const address = `https://chat.example.com${path}`
  const read = (text: string) =>
    parleyText(text, {
      personOf: (name) => ({ ada: 'p1' })[name],
      channelOf: (name) => ({ lab: 'c1', 'lab two': 'c2' })[name],
      hasBroadcast: false,
    })
  const part = (text: string, label?: string) => ({ message, text, ...(label !== undefined && { label }) })
  expect(read(`See ${address}.`)).toEqual([{ text: 'See ' }, part(address), { text: '.' }])
  expect(read(`[the plan](${path})`)).toEqual([part(`[the plan](${path})`, 'the plan')])
  expect(read(`[](${address})!`)).toEqual([part(`[](${address})`, ''), { text: '!' }])
  for (const text of [`\`${address}\``, `${address}x`, `[a](https://x.com/?q=${path})`, `(/channels/${channel})`])
    expect(read(text), text).toEqual([{ text }])
  expect(shownContent(read('#Lab, #lab two, #lab twofold and #nowhere; a#lab `#lab` @ada'))).toBe(
    '{#c1}, {#c2}, {#c1} twofold and #nowhere; a#lab `#lab` {@p1}',
  )
  const names = {
    person: () => undefined,
    channel: () => undefined,
    message: () => ({ id: 'new', channelId: 'there' }),
  }
  const written = (text: string) => renderContent(read(text), names).content
  expect(written(`[the plan](${address})`)).toBe('[the plan](/channels/there?message=new)')
  for (const text of [address, `[${path}](${path})`])
    expect(written(text), text).toBe('[/channels/there?message=new](/channels/there?message=new)')
})

it("Parley's own export is read unchanged", async () => {
  const { people, channels, messages, omitted } = await readAll(parleyReader, parley)
  expect([people.length, channels[0]?.visibility, channels[0]?.memberKeys]).toEqual([2, 'private', ['p1', 'p2']])
  expect(
    messages.map(({ key, parentKey, deletedAt, content }) => [key, parentKey, deletedAt, shownContent(content)]),
  ).toEqual([
    ['m1', null, null, '**a** {@p1}, {@channel} `@ada`'],
    ['m2', 'm1', null, '@all is not everyone here'],
    ['m3', null, '2024-01-24T00:00:00.000Z', ''],
  ])
  expect(messages[0]).toMatchObject({
    reactions: [{ emoji: '👍', personKeys: ['p1'] }],
    files: [{ name: 'a.txt', size: 5 }],
  })
  expect(omitted).toEqual({ unknownPerson: ['p2'] })
  const later = { ...parley, 'manifest.json': { format: 'parley-export', version: 2 } }
  await expect(readAll(parleyReader, later)).rejects.toMatchObject({ reason: 'newerVersion' })
})

it('each archive is recognized only by its reader', async () => {
  const archives: [ImportFormat, Contents][] = [
    ['mattermost', { 'import.jsonl': lines({ type: 'version', version: 1 }, { type: 'emoji' }) }],
    ['discord', { 'a/general.json': { guild: { id: '1' }, channel: { id: '2' }, messages: [] } }],
    ['zulip', zulip],
    ['rocketchat', rocketchat],
    ['parley', parley],
    ['slack', { 'users.json': [], 'channels.json': [] }],
  ]
  for (const [format, contents] of archives) {
    const recognizing: ImportFormat[] = []
    for (const reader of readers) {
      const { isRecognized } = await readAll({ ...reader, read: async function* () {} }, contents)
      if (isRecognized) recognizing.push(reader.format)
    }
    expect(recognizing).toEqual([format])
  }
})

it('a time without a zone is the same on every server, even during a daylight saving change', () => {
  for (const zone of ['America/New_York', 'Asia/Kolkata', 'UTC']) {
    vi.stubEnv('TZ', zone)
    expect(timeOfText('2024-03-10T02:30:00.123456')).toBe('2024-03-10T02:30:00.123456Z')
    expect(timeOfText('2024-03-10T02:30:00+05:30')).toBe('2024-03-09T21:00:00.000Z')
  }
  vi.unstubAllEnvs()
})
