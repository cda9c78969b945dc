import type { Storage } from '../files/storage.ts'
import { walk } from './copy-files.ts'
import { readFileList } from './file-list.ts'
import { epochOf, keyIn, listBackups, type Manifest, readManifest, sharedKey, UnreadableBackup } from './manifest.ts'

const FOLDERS = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'))
const BATCH = 500
/** A backup of another database counts as killed if it has written nothing for this long. */
const ABANDONED_AFTER_MS = 2 * 24 * 60 * 60 * 1000

/**
 * Keeps the newest readable backups. Removes older ones, remains of killed ones, and then the files that no kept backup refers
 * to. If it is killed midway, the next run continues.
 *
 * A damaged backup, or one that another database is making in this place, may refer to any file: as long as it exists, no files
 * are removed.
 * @param epoch of the database that has been backed up
 * @returns the reasons why possibly unneeded files were kept, in sentences
 */
export async function pruneBackups(place: Storage, keep: number, epoch?: string): Promise<string[]> {
  const readable: Manifest[] = []
  const unreadable: UnreadableBackup[] = []
  const reasons: string[] = []
  for (const { name, isComplete } of await listBackups(place)) {
    if (isComplete) {
      const found = await readCompletely(place, name)
      if (found instanceof UnreadableBackup) unreadable.push(found)
      else readable.push(found)
    } else if (await isUnderWay(place, name, epoch))
      reasons.push(`Another database is being backed up to this place (${name}). Give each a place of its own.`)
    else await removeBackup(place, name)
  }
  const kept = readable.slice(-keep)
  for (const { name } of readable.slice(0, -keep)) await removeBackup(place, name)
  for (const { backup, message } of unreadable) {
    if (kept.length === keep && backup < (kept[0]?.name ?? '')) await removeBackup(place, backup)
    else reasons.push(`${message} Until it is removed, the files of deleted backups are kept.`)
  }
  if (reasons.length === 0) await removeUnnamed(place, kept)
  return reasons
}

/** The newest readable backup. */
export async function findReadable(place: Storage): Promise<Manifest | undefined> {
  for (const { name, isComplete } of (await listBackups(place)).reverse()) {
    const found = isComplete ? await readCompletely(place, name) : undefined
    if (found && !(found instanceof UnreadableBackup)) return found
  }
  return undefined
}

/** Reads the manifest and the list of files: a damaged list would make files look unneeded. */
async function readCompletely(place: Storage, name: string): Promise<Manifest | UnreadableBackup> {
  try {
    const manifest = await readManifest(place, name)
    for await (const _ of readFileList(place, manifest));
    return manifest
  } catch (error) {
    if (error instanceof UnreadableBackup) return error
    throw error
  }
}

/**
 * Whether another database may be writing an incomplete backup. One of our own must have been killed, because only one runs at a
 * time.
 */
export async function isUnderWay(place: Storage, name: string, epoch: string | undefined): Promise<boolean> {
  let owner: string | undefined
  let lastAt = 0
  for await (const { key, writtenAt } of place.list(folderOf(name))) {
    owner ??= epochOf(name, key)
    lastAt = Math.max(lastAt, writtenAt)
  }
  return owner !== undefined && owner !== epoch && Date.now() - lastAt < ABANDONED_AFTER_MS
}

async function removeUnnamed(place: Storage, kept: Manifest[]) {
  // The newest first, which names nearly all.
  const lists = kept.map((manifest) => walk(readFileList(place, manifest))).reverse()
  const isNamed = async (key: string) => {
    for (const list of lists) if (await list.find(key)) return true
    return false
  }
  try {
    // One folder at a time, in the order of the lists.
    for (const folder of FOLDERS) {
      const keys: string[] = []
      for await (const { key } of place.list(sharedKey(folder))) keys.push(key)
      const unnamed: string[] = []
      for (const key of keys.sort()) if (!(await isNamed(key.slice(sharedKey('').length)))) unnamed.push(key)
      await removeAll(place, unnamed)
    }
  } finally {
    for (const list of lists) await list.close()
  }
}

/** Removes the manifest first, after which the rest no longer counts as a backup. */
export async function removeBackup(place: Storage, name: string) {
  const keys: string[] = []
  for await (const { key } of place.list(folderOf(name))) keys.push(key)
  await place.remove(keys.filter((key) => key.endsWith('/manifest.json')))
  await removeAll(place, keys)
}

const folderOf = (name: string) => keyIn(name, '').replace(/\/$/, '')

async function removeAll(place: Storage, keys: string[]) {
  for (let i = 0; i < keys.length; i += BATCH) await place.remove(keys.slice(i, i + BATCH))
}
