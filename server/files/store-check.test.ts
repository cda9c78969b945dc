import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { readConfig } from '../config/config.ts'
import { prepareDatabase } from '../prepare-database.ts'
import { startBucket } from '../test/services/bucket.ts'
import { atEnd } from '../test/support/cleanup.ts'
import { onDatabase } from '../test/support/database.ts'
import { longTest } from '../test/support/long.ts'
import { newDatabase } from '../test/support/new-database.ts'
import { SECRET, serve } from '../test/support/parley.ts'

const REFUSAL = /does not hold the files of the workspace’s other nodes/
let url: string
beforeEach(async () => {
  url = await newDatabase()
})

async function newFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'parley-store-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}

type Settings = NodeJS.ProcessEnv
const onDisk = async (): Promise<Settings> => ({ DATA_DIR: await newFolder() })

/** The first step of a start. Returns the printed lines. */
async function prepare(settings: Settings) {
  const printed: string[] = []
  const print = vi.spyOn(console, 'warn').mockImplementation((line) => void printed.push(line))
  await prepareDatabase(readConfig(settings), url, SECRET).finally(() => print.mockRestore())
  return printed
}

/** A complete start of a node. */
async function start(settings: Settings) {
  const printed = await prepare(settings)
  return { ...(await serve(url, settings)), printed }
}

const readyOf = async ({ address }: { address: string }) => {
  const answer = await fetch(`${address}/readyz`)
  return { status: answer.status, body: await answer.json() }
}

test('a node with a different store than the running ones does not start, and does not affect them', async () => {
  const [first, second] = [await onDisk(), await onDisk()]
  const node = await start(first)
  expect(node.printed).toEqual([])
  const refused = prepare(second)
  await expect(refused).rejects.toThrow(`${second['DATA_DIR']}/files does not hold the files of the workspace’s other`)
  await expect(refused).rejects.toThrow(/: make it a folder that all nodes share, or set S3_BUCKET on all of them\.$/)
  const bucket = await startBucket()
  await expect(prepare(bucket.settings())).rejects.toThrow(
    /^The bucket parley does not hold the files of .* other nodes/,
  )
  // The first one may start again, as may others with its store.
  for (let n = 0; n < 2; n++) expect(await prepare(first)).toEqual([])
  await node.app.storeCheck.run()
  expect(await readyOf(node)).toEqual({ status: 200, body: { status: 'ok' } })
  await node.app.close()
})

longTest('a lone node may use any store, which the others then have to use', async () => {
  const [old, restored] = [await onDisk(), await onDisk()]
  await (await start(old)).app.close()
  const node = await start(restored)
  expect(node.printed).toEqual([expect.stringMatching(/^The files are in another store than before\./)])
  await expect(prepare(old)).rejects.toThrow(REFUSAL)
  expect(await prepare(restored)).toEqual([])
  await node.app.close()
})

longTest('nodes whose shared store has changed can start concurrently', async () => {
  await (await start(await onDisk())).app.close()
  const shared = await onDisk()
  const printed = await Promise.all([1, 2, 3].map(() => prepare(shared)))
  expect(printed.flat()).toHaveLength(1)
})

longTest('a folder that was moved or copied is the same store', async () => {
  const [before, after] = [await onDisk(), await onDisk()]
  const node = await start(before)
  await cp(before['DATA_DIR'] as string, after['DATA_DIR'] as string, { recursive: true })
  expect(await prepare(after)).toEqual([])
  const [files] = await readdir(join(after['DATA_DIR'] as string, 'files'))
  expect(await readdir(join(after['DATA_DIR'] as string, 'files', files as string))).toEqual(['.store'])
  await node.app.close()
})

longTest(
  'an unreachable store does not prevent a start; once it is back and differs, the node is not ready',
  async () => {
    const bucket = await startBucket()
    await bucket.stop()
    const node = await start(bucket.settings())
    expect(node.printed).toEqual([expect.stringMatching(/^It is not known whether this node has the files/)])
    expect(await readyOf(node)).toMatchObject({ status: 200 })
    const first = await start(await onDisk()).catch((error) => error)
    expect(first).not.toBeInstanceOf(Error)
    await bucket.start()
    await node.app.storeCheck.run()
    expect(await readyOf(node)).toEqual({ status: 503, body: { status: 'other_files' } })
    await first.app.close()
    await node.app.storeCheck.run()
    expect(await readyOf(node)).toEqual({ status: 200, body: { status: 'ok' } })
    await node.app.close()
  },
)

longTest('the marker of a bucket is created once, and no sweep removes it', async () => {
  const bucket = await startBucket()
  const node = await start(bucket.settings())
  expect(await prepare(bucket.settings())).toEqual([])
  const keys: string[] = []
  for await (const { key } of node.app.storage.list()) keys.push(key)
  expect(keys).toEqual(['.store'])
  const storeIds = await onDatabase(url, (client) => client.query('select "storeId" from workspace'))
  expect(storeIds.rows).toEqual([{ storeId: expect.stringMatching(/^[0-9a-f-]{36}$/) }])
  await node.app.close()
})
