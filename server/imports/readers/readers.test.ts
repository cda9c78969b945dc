import { expect, it, vi } from 'vitest'
import { type Contents, readAll, shownContent } from '../../test/support/import-archive.ts'
import type { ImportFormat } from '../records.ts'
import { renderContent } from '../render-content.ts'
import { timeOfText } from './common/values.ts'
import { parleyReader } from './parley/parley.ts'
import { parleyText } from './parley/parley-text.ts'
import { readers } from './readers.ts'

const lines = (...values: unknown[]) =>
  values.map((it) => (typeof it === 'string' ? it : JSON.stringify(it))).join('\n')

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
    ['zulip', { 'realm.json': { zerver_realm: [] }, 'messages-000001.json': { zerver_message: [] } }],
    ['rocketchat', { 'rocketchat_room.json': '', 'rocketchat_message.json': '' }],
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
