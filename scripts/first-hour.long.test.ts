import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from './run-node.mjs'

// Follows docs/first-hour.md in a copy of the repository: what it greps for, runs and shows.

let copy: string
let tutorial: string

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'parley-first-hour-'))
  // Includes uncommitted files, so that a change can be tested before it is committed.
  const files = git(root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0').filter(Boolean)
  execFileSync('tar', ['-cf', join(copy, 'all.tar'), '--ignore-failed-read', ...files], { cwd: root, stdio: 'ignore' })
  execFileSync('tar', ['-xf', 'all.tar'], { cwd: copy })
  await rm(join(copy, 'all.tar'))
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  git(copy, 'init', '-q')
  git(copy, 'add', '.')
  git(copy, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-qm', 'Begin')
  tutorial = await readFile(join(copy, 'docs/first-hour.md'), 'utf8')
})

afterAll(() => rm(copy, { recursive: true, force: true }))

const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 26 })

/** Runs a command from the tutorial, and returns its output. */
function perform(command: string) {
  expect(tutorial).toContain(command)
  // Without the database and the lane of this run.
  const { DATABASE_URL: _, LONG: __, VITEST: ___, ...env } = process.env
  const { stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: copy, env, encoding: 'utf8' })
  return stripVTControlCharacters(stdout + stderr)
}

async function replace(path: string, what: string, by: string) {
  expect(tutorial).toContain(`\`${what}\``)
  const file = join(copy, path)
  const text = await readFile(file, 'utf8')
  const parts = text.split(what)
  await writeFile(file, parts.join(by))
  return parts.length - 1
}

test('the first hour can be spent as written', async () => {
  expect(tutorial).toContain(perform(`grep -r '"just now"' languages`))
  expect(perform("grep -rn 'time.justNow' web")).toContain('web/ui/format/relative-time.ts')

  const run = 'npx vitest run web/ui/format/relative-time.test.ts'
  expect(perform(run)).toContain('12 passed (12)')
  expect(tutorial).toContain('12 passed (12)')

  expect(await replace('languages/en.json', '"just now"', '"moments ago"')).toBe(1)
  const failed = perform(run)
  for (const line of [
    'web/ui/format/relative-time.test.ts > 0 ms ago is just now',
    "AssertionError: expected 'moments ago' to be 'just now' // Object.is equality",
    '3 failed | 9 passed (12)',
  ]) {
    expect(failed).toContain(line)
    expect(tutorial).toContain(line)
  }

  expect(await replace('web/ui/format/relative-time.test.ts', "'just now'", "'moments ago'")).toBe(3)
  expect(perform(run)).toContain('12 passed (12)')
  for (const line of perform('git diff --stat')
    .split('\n')
    .filter((line) => line.includes('|')))
    expect(tutorial).toContain(line)
})
