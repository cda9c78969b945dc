import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, args).then(
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
