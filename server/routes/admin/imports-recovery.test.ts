import { expect, test } from 'vitest'
import { storageFull } from '../../errors.ts'
import { runImport } from '../../imports/run-import.ts'
import {
  at,
  channelOf,
  contents,
  id,
  importsOf,
  lines,
  messagesOf,
  room,
  said,
  someone,
  upload,
  zipOf,
} from '../../test/support/imported-workspace.ts'
import { serve, startParley } from '../../test/support/parley.ts'

const parley = await startParley()
const { olga, ada, eve } = await parley.people('olga', 'ada', 'eve')
const { app } = parley
const { db } = app
const { imported, newest, until, uploaded, undone } = importsOf(parley, olga)

test('an import whose node died continues on another one, without duplicates', async () => {
  const many = Array.from({ length: 450 }, (_, n) => said(8000 + n, 81, n % 2 ? 'p5' : 'p6', `number ${n}`))
  const { id: importId } = await uploaded({
    ...contents(),
    'data/people.jsonl': lines(someone(5, 'pia'), someone(6, 'quin')),
    'data/channels.jsonl': lines(room(81, 'public', 'numbers', ['p5', 'p6'])),
    [`data/messages/${id(81)}.jsonl`]: lines(...many),
  })
  // As if claimed by another node, which died after its first batch.
  const claim = '00000000-0000-7000-8000-0000000000ff'
  await db
    .updateTable('imports')
    .set({ state: 'running', startedAt: at(0), claim, touchedAt: new Date().toISOString() })
    .where('id', '=', importId)
    .execute()
  const job = (await db.selectFrom('imports').selectAll().where('id', '=', importId).executeTakeFirstOrThrow()) as never
  const dying = new AbortController()
  const { bounds, config, log, storage, tokenSeal } = parley.app
  const until200 = (async () => {
    while ((await newest()).messages < 200) await new Promise((resolve) => setTimeout(resolve, 5))
    dying.abort()
  })()
  await Promise.all([
    runImport({ bounds, config, db, log, storage, tokenSeal, pollSoon: () => {} }, job, dying.signal).catch(() => {}),
    until200,
  ])
  // A partial import is not visible.
  expect(await channelOf(eve, 'numbers')).toBeUndefined()
  const other = await serve(parley.databaseUrl)
  await db.updateTable('imports').set({ touchedAt: '2020-01-01' }).where('id', '=', importId).execute()
  other.app.importing.wake()
  const done = await until('done')
  expect(done.messages).toBe(450)
  const numbers = await channelOf(eve, 'numbers')
  const rows = await db
    .selectFrom('messages')
    .select(['seq', 'content'])
    .where('channelId', '=', numbers?.id as string)
    .orderBy('seq')
    .execute()
  expect(rows).toEqual(many.map(({ content }, n) => ({ seq: n + 1, content })))
  await undone(done)
})

test('a damaged archive is reported, and nothing is imported', async () => {
  for (const [bytes, name, reason] of [
    [Buffer.from('PK not really'), 'broken.zip', 'import.damaged'],
    [Buffer.from('just a letter'), 'letter.txt', 'import.notAnArchive'],
    [await zipOf({ 'holiday.txt': 'sun' }), 'holiday.zip', 'import.unknownFormat'],
  ] as const) {
    expect((await upload(app, olga, bytes, name)).status).toBe(201)
    const failed = await until('failed')
    expect(failed).toMatchObject({ problem: { reason }, plan: null })
    expect((await olga.delete(`/api/imports/${failed.id}`)).body.state).toBe('cancelled')
  }
})

test('a damaged file in the archive stops the import, and is named', async () => {
  const bytes = await zipOf({
    ...contents(),
    'data/channels.jsonl': lines(room(1, 'public', 'pictured', ['p1', 'p3'])),
  })
  // Corrupts the picture's checksum in the directory at the end of the archive.
  const list = bytes.lastIndexOf('files/cat.png')
  const sum = list - 46 + 16
  bytes.writeUInt32LE(bytes.readUInt32LE(sum) ^ 1, sum)
  expect((await upload(app, olga, bytes)).status).toBe(201)
  const { id: importId } = await until('ready')
  await olga.post(`/api/imports/${importId}/start`)
  expect(await until('failed')).toMatchObject({
    problem: { reason: 'import.damaged', values: { entry: 'files/cat.png' } },
  })
  expect(await channelOf(eve, 'pictured')).toBeUndefined()
  await undone(await newest())
})

test('a full disk stops an import, which can continue once there is room', async () => {
  const first = await uploaded({
    ...contents(),
    'data/channels.jsonl': lines(room(1, 'public', 'roomy', ['p1', 'p3'])),
  })
  const { write } = parley.app.storage
  parley.app.storage.write = async (_, bytes) => {
    bytes.destroy()
    throw storageFull()
  }
  await olga.post(`/api/imports/${first.id}/start`)
  expect(await until('failed')).toMatchObject({ problem: { reason: 'storageFull' }, canRetry: true })
  expect(await channelOf(eve, 'roomy')).toBeUndefined()
  parley.app.storage.write = write
  await olga.post(`/api/imports/${first.id}/retry`)
  const done = await until('done')
  const messages = await messagesOf(eve, (await channelOf(eve, 'roomy'))?.id)
  expect(messages.map(({ seq }: { seq: number }) => seq)).toEqual([1, 2, 3])
  await undone(done)
})

test('a closed import keeps nothing of its plan, which may name things that a later owner may not read', async () => {
  const plans = () =>
    db
      .selectFrom('imports')
      .select(['plan', 'choices'])
      .where('state', 'in', ['accepted', 'undone', 'cancelled'])
      .execute()
  const { id: cancelled } = await uploaded()
  expect((await olga.delete(`/api/imports/${cancelled}`)).body).toMatchObject({ state: 'cancelled', plan: null })
  await undone(await imported())
  const done = await imported()
  expect(done.plan).not.toBeNull()
  expect((await olga.post(`/api/imports/${done.id}/accept`)).body).toMatchObject({ state: 'accepted', plan: null })
  for (const row of await plans()) expect(row).toEqual({ plan: null, choices: {} })
  expect((await plans()).length).toBeGreaterThan(2)
})

test('imports are the owner’s: others neither see nor start them', async () => {
  for (const other of [ada, eve]) {
    expect((await other.get('/api/imports')).status).toBe(403)
    expect((await upload(app, other, await zipOf(contents()))).status).toBe(403)
    expect((await other.get('/api/imports/people')).status).toBe(403)
  }
  const kinds = await db.selectFrom('audit_log').select('kind').where('kind', 'like', 'import_%').distinct().execute()
  expect(kinds.map(({ kind }) => kind).sort()).toEqual([
    'import_accepted',
    'import_cancelled',
    'import_finished',
    'import_retried',
    'import_started',
    'import_undone',
  ])
})
