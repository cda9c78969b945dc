import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { withConnection } from '../backup/make-backup.ts'
import { lockForBackup } from '../db/backup-lock.ts'
import { PICTURE } from '../test/support/fixture.ts'
import {
  channelOf,
  contents,
  id,
  importsOf,
  lines,
  messagesOf,
  room,
  said,
  someone,
} from '../test/support/imported-workspace.ts'
import { startParley } from '../test/support/parley.ts'
import { STATE_TIMEOUT_MS } from '../test/support/timeouts.ts'

const parley = await startParley()
const { olga, ada } = await parley.people('olga', 'ada')
const { db } = parley.app
const { until, uploaded, undone } = importsOf(parley, olga)

/** A public channel of two people, one of whom sent a picture. */
const archiveOf = (number: number, [one, other]: [string, string]) => ({
  ...contents(),
  'data/people.jsonl': lines(someone(number, one), someone(1000 + number, other)),
  'data/channels.jsonl': lines(room(number, 'public', `of-${one}`, [`p${number}`, `p${1000 + number}`])),
  [`data/messages/${id(number)}.jsonl`]: lines(
    said(10 * number + 1, number, `p${number}`, 'look', {
      files: [{ id: id(500), name: 'cat.png', size: PICTURE.length, createdAt: null, path: 'files/cat.png' }],
    }),
    said(10 * number + 2, number, `p${1000 + number}`, 'nice'),
  ),
})
async function started(files: Record<string, string | Buffer>) {
  const { id: importId } = await uploaded(files)
  expect((await olga.post(`/api/imports/${importId}/start`)).status).toBe(200)
  return until('done')
}
const person = (username: string) =>
  db.selectFrom('users').select(['id', 'deactivatedAt']).where('username', '=', username).executeTakeFirst()

test('an undo during a backup waits to remove files, and leaves nobody behind', async () => {
  const done = await started(archiveOf(61, ['uma', 'udo']))
  const row = () => db.selectFrom('imports').select(['state', 'touchedAt']).where('id', '=', done.id).executeTakeFirst()
  await withConnection(parley.databaseUrl, async (client) => {
    expect(await lockForBackup(client)).toBe(true)
    expect((await olga.delete(`/api/imports/${done.id}`)).status).toBe(200)
    const isLeft = async () =>
      (await db.selectFrom('channels').select('id').where('name', '=', 'of-uma').execute()).length > 0
    await expect.poll(isLeft, { timeout: STATE_TIMEOUT_MS }).toBe(false)
    // It keeps running, and waits.
    const at = (await row())?.touchedAt ?? ''
    await expect.poll(async () => ((await row())?.touchedAt ?? '') > at, { timeout: STATE_TIMEOUT_MS }).toBe(true)
    expect((await row())?.state).toBe('undoing')
  })
  await until('undone')
  expect([await person('uma'), await person('udo')]).toEqual([undefined, undefined])
})

test('files stored for messages that were never imported do not prevent removing their authors', async () => {
  const done = await started(archiveOf(62, ['vera', 'vito']))
  const vito = await person('vito')
  // As left by an import that was undone while it stored a file.
  await sql`insert into files (id, "userId", name, type, size, state, "isShown")
    values (gen_random_uuid(), ${vito?.id}, 'half.bin', 'application/octet-stream', 1, 'pending', false)`.execute(db)
  await undone(done)
  expect([await person('vera'), await person('vito')]).toEqual([undefined, undefined])
})

test('a person kept after an undo belongs to the next import, and can be claimed', async () => {
  const archive = archiveOf(63, ['wanda', 'wim'])
  const first = await started(archive)
  const wanda = await person('wanda')
  // In the meantime, somebody writes to her.
  const { body: direct } = await ada.post('/api/direct-messages', { userIds: [wanda?.id] })
  await ada.say(direct.id, 'Are you here, too?')
  await undone(first)
  expect(await person('wanda')).toMatchObject({ id: wanda?.id, deactivatedAt: expect.any(String) })
  expect(await person('wim')).toBeUndefined()

  const second = await started(archive)
  expect(await person('wanda')).toEqual(wanda)
  expect((await olga.post(`/api/imports/people/${wanda?.id}/claim`)).status).toBe(201)
  expect(await channelOf(ada, 'of-wanda')).toBeDefined()
  await undone(second)
  expect(await person('wanda')).toMatchObject({ id: wanda?.id, deactivatedAt: expect.any(String) })
})

test('an undo keeps the rows of a channel in which a held person wrote', async () => {
  const done = await started(archiveOf(64, ['xara', 'xeno']))
  const channel = await channelOf(ada, 'of-xara')
  await ada.post(`/api/channels/${channel?.id}/join`)
  await ada.say(channel?.id as string, 'written since')
  const { body } = await olga.post('/api/holds', { userId: ada.id })
  await undone(done)
  expect(await channelOf(ada, 'of-xara')).toBeUndefined()
  const rows = () =>
    db
      .selectFrom('messages')
      .select('content')
      .where('channelId', '=', channel?.id as string)
      .orderBy('seq')
      .execute()
  expect((await rows()).map(({ content }) => content)).toEqual(['look', 'nice', 'written since'])
  // Nobody can sign in as the authors of what is kept.
  expect(await person('xara')).toMatchObject({ deactivatedAt: expect.any(String) })
  await olga.delete(`/api/holds/${body.holds[0].id}`)
})

test('a channel of an archive may have any key', async () => {
  const key = 'constructor'
  const done = await started({
    ...contents(),
    'data/people.jsonl': lines({ ...someone(1, 'yara'), id: 'toString' }),
    'data/channels.jsonl': lines({ ...room(65, 'public', 'keyed', ['toString']), id: key }),
    [`data/messages/${key}.jsonl`]: lines(said(651, 65, 'toString', 'hello')),
  })
  expect(await channelOf(ada, 'keyed')).toBeDefined()
  await undone(done)
})

test('says what people would lose by an undo', async () => {
  const done = await started(archiveOf(66, ['zack', 'zoe']))
  const lossesOf = async () => (await olga.get(`/api/imports/${done.id}/undo-losses`)).body
  expect(await lossesOf()).toEqual({ messages: 0, reactions: 0 })
  const channel = await channelOf(ada, 'of-zack')
  await ada.post(`/api/channels/${channel?.id}/join`)
  const [imported] = await messagesOf(ada, channel?.id)
  const live = await ada.say(channel?.id as string, 'written since')
  for (const { id: messageId } of [imported, live])
    await ada.post(`/api/messages/${messageId}/reactions`, { emoji: '👍' })
  // Elsewhere, nothing is lost.
  await ada.say((await channelOf(ada, 'general'))?.id as string, 'elsewhere')
  expect(await lossesOf()).toEqual({ messages: 1, reactions: 1 })
  await undone(done)
})
