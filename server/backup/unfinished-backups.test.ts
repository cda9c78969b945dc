import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { beforeAll, expect, test } from 'vitest'
import type { Storage } from '../files/storage.ts'
import { newFolder } from '../test/support/backup-commands.ts'
import { longTest } from '../test/support/long.ts'
import { type Person, startParley } from '../test/support/parley.ts'
import { makeBackup } from './make-backup.ts'
import { epochKey, findBackup, listBackups, listKey, tableKey, writeManifest } from './manifest.ts'
import { readPacked, writePacked } from './packed.ts'
import { openFolder } from './place.ts'
import { removeBackup } from './prune-backups.ts'
import { verifyBackup } from './verify-backup.ts'

let parley: Awaited<ReturnType<typeof startParley>>
let ada: Person
let channelId: string

beforeAll(async () => {
  parley = await startParley()
  ada = await parley.person('ada')
  channelId = (await ada.post('/api/channels', { name: 'kitchen' })).body.id
  await ada.upload(channelId, 'menu.txt')
})

const backUp = (place: Storage, onWarning?: (sentence: string) => void) => {
  const { app, databaseUrl } = parley
  return makeBackup({ databaseUrl, db: app.db, storage: app.storage, place, keep: 2, ...(onWarning && { onWarning }) })
}

/** The same place, which does something before each write. */
const before = (place: Storage, act: (key: string) => Promise<unknown> | unknown): Storage => ({
  ...place,
  async write(key, bytes) {
    await act(key)
    await place.write(key, bytes)
  },
})

test('a backup whose place disappears meanwhile fails, although the rest can be written', async () => {
  const folder = await newFolder()
  const place = openFolder(join(folder, 'disk'))
  // As if it had been unmounted.
  const unmount = (key: string) => key.includes('/users.') && rename(join(folder, 'disk'), join(folder, 'unmounted'))
  await expect(backUp(before(place, unmount))).rejects.toThrow(/^The backup lost backups\/.* while it was made/)
  expect((await listBackups(place)).filter((it) => it.isComplete)).toEqual([])
})

test('what a killed backup has left is removed before the next one needs its space', async () => {
  const place = openFolder(await newFolder())
  const { epoch } = await parley.app.db.selectFrom('workspace').select('epoch').executeTakeFirstOrThrow()
  const [ours, theirs] = ['2026-01-02T030405678Z', '2026-01-02T030405679Z']
  await place.write(epochKey(ours, epoch), Readable.from(['x']))
  await place.write(tableKey(ours, 'messages'), Readable.from(['x']))
  await place.write(epochKey(theirs, crypto.randomUUID()), Readable.from(['x']))
  const there: string[][] = []
  const { name } = await backUp(
    before(place, async (key) => {
      if (key.includes('/users.')) there.push((await listBackups(place)).map((it) => it.name))
    }),
  )
  expect(there).toEqual([[theirs, name]])
})

longTest('files that a failed backup has copied are not copied again', async () => {
  const place = openFolder(await newFolder())
  const full = before(place, (key) => {
    if (key.endsWith('files.list.gz')) throw new Error('no room for the list')
  })
  // The list is written while the files are copied.
  const copied: string[] = []
  await expect(backUp(before(full, (key) => copied.push(key)))).rejects.toThrow()
  const note = before(place, (key) => copied.push(key))
  await ada.upload(channelId, 'second.txt')
  const first = await backUp(note)
  expect(copied.filter((key) => key.startsWith('files/')).length).toBe(first.files?.count)
  copied.length = 0
  // As if that backup had failed at its end.
  await place.remove([`backups/${first.name}/manifest.json`])
  await ada.upload(channelId, 'third.txt')
  const { files } = await backUp(note)
  expect(files?.count).toBe(3)
  expect(copied.filter((key) => key.startsWith('files/'))).toHaveLength(1)
  expect(await verifyBackup(place, await findBackup(place))).toMatchObject({ damages: [], missing: [] })
})

test('a backup that is removed while it is read is not called damaged', async () => {
  const place = openFolder(await newFolder())
  const { name, tables } = await backUp(place)
  const users = tables.find((table) => table.name === 'users') ?? { size: 0, sha256: '' }
  await removeBackup(place, name)
  await expect(readPacked(place, tableKey(name, 'users'), users)).rejects.toThrow(
    `The backup ${name} was removed meanwhile.`,
  )
})

longTest('an endless line in a list of files is damage, and does not prevent the next backup', async () => {
  const place = openFolder(await newFolder())
  const manifest = await backUp(place)
  const endless = Readable.from(Array.from({ length: 500 }, () => Buffer.alloc(10_000, 'a')))
  const stored = await writePacked(place, listKey(manifest.name), endless)
  const { files } = manifest
  if (!files) throw new Error('there are no files')
  await writeManifest(place, { ...manifest, files: { ...files, ...stored } })
  const { damages } = await verifyBackup(place, manifest).catch((error) => ({ damages: [error.message] }))
  expect(damages.join()).toContain('damaged')
  const forged = await verifyBackup(place, await findBackup(place))
  expect(forged.damages).toEqual([`The backup ${manifest.name} is damaged: its list of files is not readable.`])
  const warnings: string[] = []
  const { name } = await backUp(place, (sentence) => warnings.push(sentence))
  expect((await findBackup(place)).name).toBe(name)
  expect(warnings.join()).toContain('its list of files is not readable')
})
