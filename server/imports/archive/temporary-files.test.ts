import { readdir } from 'node:fs/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { type Contents, newFolder, zipOf } from '../../test/support/import-archive.ts'
import { parleyReader } from '../readers/parley/parley.ts'
import { rocketchatReader } from '../readers/rocketchat/rocketchat.ts'
import { slackReader } from '../readers/slack/slack.ts'
import { zulipReader } from '../readers/zulip/zulip.ts'
import type { ImportReader } from '../records.ts'
import { openArchive } from './open-archive.ts'
import { isTemporaryDiskFull, openTemporaryFiles } from './temporary-files.ts'

afterEach(() => vi.unstubAllEnvs())

it('a full disk is told from other failures', async () => {
  const { database, close } = await openTemporaryFiles('create table texts (text text)')
  database.exec('pragma max_page_count = 5')
  const insert = database.prepare('insert into texts (text) values (?)')
  const fill = () => {
    for (let count = 0; count < 10; count++) insert.run('x'.repeat(10_000))
  }
  expect(failureOf(fill)).toMatchObject({ full: true })
  expect(failureOf(() => database.exec('select nothing'))).toMatchObject({ full: false })
  expect(failureOf(() => JSON.parse('{'))).toMatchObject({ full: false })
  expect(isTemporaryDiskFull(undefined)).toBe(false)
  await close()
})

function failureOf(act: () => void) {
  try {
    act()
    return 'none'
  } catch (error) {
    return { full: isTemporaryDiskFull(error), error }
  }
}

const at = '2024-01-23T09:00:00Z'
const ROCKETCHAT = {
  'rocketchat_room.json': '{"_id":"c1","t":"c","name":"general"}',
  'rocketchat_message.json': JSON.stringify({ _id: 'm1', rid: 'c1', ts: { $date: at }, msg: 'hi', u: { _id: 'u1' } }),
}
const ZULIP = {
  'realm.json': { zerver_stream: [{ id: 5, name: 'general' }], zerver_recipient: [{ id: 50, type: 2, type_id: 5 }] },
  'messages-000001.json': {
    zerver_message: [{ id: 1, sender: 1, recipient: 50, subject: '', content: 'hi', date_sent: 1_706_000_000 }],
  },
}

it.each<[string, ImportReader, Contents]>([
  [
    'Slack',
    slackReader,
    {
      'users.json': [],
      'channels.json': [{ id: 'C1', name: 'general' }],
      'general/2024-01-23.json': [{ type: 'message', user: 'U1', ts: '1706000000.000100', text: 'hi' }],
    },
  ],
  ['Zulip', zulipReader, ZULIP],
  ['Rocket.Chat', rocketchatReader, ROCKETCHAT],
  [
    'Parley',
    parleyReader,
    {
      'manifest.json': { format: 'parley-export', version: 1 },
      'data/people.jsonl': '',
      'data/channels.jsonl': '{"id":"c1","name":"general","kind":"public"}',
      'data/messages/c1.jsonl': JSON.stringify({ id: 'm1', userId: 'u1', createdAt: at, content: 'hi' }),
    },
  ],
])('nothing temporary remains of %s while it is read, and when that stops', async (_, reader, contents) => {
  const { records, archive, temporaryFiles } = await reading(reader, contents)
  for await (const record of records) {
    if (record.kind === 'message') break
  }
  await archive.close()
  expect(await temporaryFiles()).toEqual([])
})

it.each<[string, ImportReader, Contents]>([
  ['Zulip', zulipReader, { ...ZULIP, 'messages-000001.json': '{"zerver_message":[{"id":1},{"id' }],
  ['Rocket.Chat', rocketchatReader, { ...ROCKETCHAT, 'rocketchat_message.json': '[{"_id":"m1"},{"_id' }],
])('nothing temporary remains of a damaged archive of %s', async (_, reader, contents) => {
  const { records, archive, temporaryFiles } = await reading(reader, contents)
  await expect(records.next()).rejects.toMatchObject({ reason: 'damaged' })
  await archive.close()
  expect(await temporaryFiles()).toEqual([])
})

async function reading(reader: ImportReader, contents: Contents) {
  const archive = await openArchive(await zipOf(contents))
  const folder = await newFolder()
  vi.stubEnv('TMPDIR', folder)
  const records = reader.read(archive, { add: () => undefined })
  return { archive, records, temporaryFiles: () => readdir(folder) }
}
