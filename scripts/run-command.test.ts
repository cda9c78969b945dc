import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { longTest } from '../server/test/support/long.ts'

const run = (...args: string[]) => runWith({}, ...args)

const runWith = (settings: NodeJS.ProcessEnv, ...args: string[]) =>
  promisify(execFile)(process.execPath, args, { env: { ...process.env, ...settings } }).then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    ({ code, stdout, stderr }) => ({ code, text: stdout + stderr }),
  )

test('a command explains itself, and refuses what it does not know', async () => {
  expect(await run('scripts/backup/restore.ts', '--help')).toEqual({
    code: 0,
    text: expect.stringMatching(/^npm run restore -- \[TIME\] \[OPTIONS\]\n\n.*--from=PLACE /s),
  })
  for (const [args, sentence] of [
    [['scripts/backup/backup.ts', 'here'], 'Unknown argument "here". --help lists the options.\n'],
    [['scripts/backup/restore.ts', 'one', 'two'], 'Unknown argument "two". --help lists the options.\n'],
    [['scripts/migrate.ts', '--now'], "Unknown option '--now'. --help lists the options.\n"],
  ] as const)
    expect(await run(...args)).toEqual({ code: 1, text: sentence })
})

test('a command refuses to go on without options that npm has taken for its own', async () => {
  for (const [name, flag] of [
    ['npm_config_token_description', 'to'],
    ['npm_config_with_secrets', 'with-secrets'],
  ] as const)
    expect(await runWith({ [name]: 'x' }, 'scripts/backup/backup.ts')).toEqual({
      code: 1,
      text: `npm took the option --${flag} for its own: put "--" before the options. --help lists the options.\n`,
    })
})

longTest('places are refused by the name of their option, and read wherever they are', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-backup-'))
  const settings = { DATA_DIR: dataDir, BACKUP_TO: '/b', BACKUP_EVERY: '1d' }
  const restore = (from: string, more = {}) =>
    runWith({ ...settings, ...more }, 'scripts/backup/restore.ts', `--from=${from}`)
  expect((await restore('nas:/b')).text).toMatch(/^--from must be a folder, or a bucket/)
  expect((await restore('~/b')).text).toMatch(/^"~\/b" is not a folder/)
  expect((await restore(`${dataDir}/snapshots`)).text).toBe(`There is no backup in ${dataDir}/snapshots.\n`)
  expect((await runWith(settings, 'scripts/backup/rollback.ts')).text).toBe(
    `There is no snapshot in ${dataDir}/snapshots.\n`,
  )
  await rm(dataDir, { recursive: true })
})
