import { StartError } from '../config/start-error.ts'
import type { Storage } from '../files/storage.ts'
import { readFileList } from './file-list.ts'
import { findRemoval, type Manifest, secretsKey, sharedKey, storedBytes, tableKey } from './manifest.ts'
import { hashOf, readPacked } from './packed.ts'
import { countProgress, type OnProgress } from './progress.ts'

const NEWLINE = 0x0a
const MAX_LISTED = 20

interface Verified {
  /** Sentences, at most 20. */
  damages: string[]
  damaged: number
  /** Keys of files whose bytes were gone when the backup was made; at most 20. */
  missing: string[]
}

/** Verifies a backup by reading all of it. @throws StartError if it is removed meanwhile */
export async function verifyBackup(place: Storage, manifest: Manifest, onProgress?: OnProgress) {
  const found: Verified = { damages: [], damaged: 0, missing: [] }
  const damage = (sentence: string) => {
    found.damaged += 1
    if (found.damages.length < MAX_LISTED) found.damages.push(sentence)
  }
  const attempt = async (read: () => Promise<void>) => {
    await read().catch((error: Error) => {
      if (!(error instanceof StartError)) throw error
      damage(error.message)
    })
  }
  const tables = countProgress('database', storedBytes(manifest.tables), onProgress)
  for (const table of manifest.tables) {
    await attempt(async () => {
      const onBytes = tables.begin(table.size, table.name)
      const rows = await countLines(await readPacked(place, tableKey(manifest.name, table.name), table, onBytes))
      if (rows !== table.rows) damage(`${table.name} has ${rows} rows instead of ${table.rows}.`)
    })
    tables.end(table.size)
  }
  const { secrets } = manifest
  if (secrets)
    await attempt(async () => void (await countLines(await readPacked(place, secretsKey(manifest.name), secrets))))
  await attempt(async () => {
    let done = 0
    const files = countProgress('files', manifest.files?.bytes ?? 0, onProgress)
    for await (const { key, size, sha256 } of readFileList(place, manifest)) {
      done += 1
      if (sha256 === undefined) {
        if (found.missing.length < MAX_LISTED) found.missing.push(key)
        continue
      }
      if ((await hashOf(place, sharedKey(key), size, files.begin(size))) !== sha256)
        damage(`${sharedKey(key)} is missing, or not what was stored.`)
      files.end(size)
    }
    if (done !== (manifest.files?.count ?? 0))
      damage(`The list of files has ${done} instead of ${manifest.files?.count}.`)
  })
  const removal = found.damaged > 0 ? await findRemoval(place, manifest.name) : undefined
  if (removal) throw removal
  return found
}

/** COPY writes each row as one line. */
async function countLines(stream: AsyncIterable<Buffer>): Promise<number> {
  let count = 0
  for await (const chunk of stream)
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) count += 1
  return count
}
