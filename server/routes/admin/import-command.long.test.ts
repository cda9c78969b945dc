import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { atEnd } from '../../test/support/cleanup.ts'
import { channelOf, contents, importsOf, zipOf } from '../../test/support/imported-workspace.ts'
import { startParley } from '../../test/support/parley.ts'

const parley = await startParley()
const folder = await mkdtemp(join(tmpdir(), 'parley-import-command-'))
atEnd(() => rm(folder, { recursive: true, force: true }))

/** Like `npm run import`. */
const run = (...args: string[]) => {
  const settings = { DATABASE_URL: parley.databaseUrl, DATA_DIR: parley.app.config.dataDir, REDIS_URL: '' }
  return promisify(execFile)(process.execPath, ['scripts/import.ts', ...args], {
    env: { ...process.env, ...settings },
  }).then(
    ({ stdout, stderr }) => ({ isDone: true, text: stdout + stderr }),
    ({ stdout, stderr }) => ({ isDone: false, text: stdout + stderr }),
  )
}
const written = async (name: string, bytes: string | Buffer) => {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return path
}

test('the command lists what is in an archive, imports it, and reports errors in a sentence', async () => {
  const path = await written('acme.zip', await zipOf(contents()))
  expect(await run(path)).toMatchObject({ isDone: false, text: expect.stringContaining('Sign up first') })
  const olga = await parley.person('olga')
  const { newest, undone } = importsOf(parley, olga)

  for (const [args, sentence] of [
    [[], 'Say which archive'],
    [[join(folder, 'nothing.zip')], 'is no file'],
    [[await written('letter.txt', 'Dear all')], 'This file is not an archive'],
    [[await written('cut.zip', (await zipOf(contents())).subarray(0, 900))], 'The archive is damaged'],
  ] as const) {
    const { isDone, text } = await run(...args)
    expect([isDone, text]).toEqual([false, expect.stringContaining(sentence)])
    expect(text).not.toMatch(/\n {4}at |undefined/)
  }

  const dry = await run(path, '--dry-run')
  expect(dry).toEqual({ isDone: true, text: expect.stringContaining('Messages: 8, 2 of them replies') })
  expect(dry.text).toContain('#general will be #general-parley')
  expect(await newest()).toMatchObject({ state: 'cancelled', canRetry: false })
  expect(await channelOf(olga, 'general-parley')).toBeUndefined()

  const lossy = await written('lossy.zip', await zipOf({ ...contents(), 'data/emoji.jsonl': '{\n' }))
  const left = await run(lossy, '--dry-run')
  expect(left).toEqual({ isDone: true, text: expect.stringContaining('Not imported: damagedLine, 1 times') })
  const without = await run(path, '--topics-as-channels')
  expect(without).toEqual({ isDone: false, text: expect.stringContaining('This archive has no topics.') })

  expect(await run(path)).toEqual({ isDone: true, text: expect.stringContaining('Imported 8 messages') })
  expect(await channelOf(olga, 'general-parley')).toMatchObject({ kind: 'public' })
  expect(await run(path)).toMatchObject({ isDone: false, text: expect.stringContaining('Another import is open') })
  await undone(await newest())
})
