// Checks, tests the server and the rules, and walks through the client in a browser. What fails runs again, alone.
//   --strict    failures do not run again
//   --long      the long lane too, and many more rounds of the tests that kill and freeze things
//   --pictures  only pictures of every screen, at every width, in both themes
//   WORD …      only the files with one of these words in their path
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureChromium } from '../chromium.mjs'
import { inPath, installMissing } from '../debian.mjs'
import { isBuildDue, root, run } from '../install.mjs'
import { type Failure, type Outcome, type Run, withSecondChance } from './second-chance.ts'
import { RESULTS, runPlaywright, runVitest } from './suites.ts'

const SLOWEST_FILES = 10
/** A test that fails by chance there may show a leak that happens once in many runs. */
const PROMISES = /^server\/test\/(promises|security)\//
const PASSED_FILE = join(RESULTS, 'passed.json')
const FLAKY_FILE = join(RESULTS, 'flaky.json')

/** Some tests run them, and are skipped without them. */
const PROGRAMS = ['redis-server', 'faketime', 'nginx', 'haproxy', 'caddy']

const has = (flag: string) => process.argv.includes(flag)
const only = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
/** Whether these are the tests that a change needs. */
const isWhole = only.length === 0 && !has('--pictures')
const env = {
  ...process.env,
  CHROMIUM_PATH: ensureChromium(),
  ...(has('--long') && { LONG: '1' }),
  ...(has('--pictures') && { PICTURES: 'all' }),
}

// A suite that was told to stop is no failure to look into.
let isStopped = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => (isStopped = true))

installMissing(PROGRAMS)
const lacking = PROGRAMS.filter((name) => !inPath(name))
if (lacking.length > 0)
  console.log(`Tests that need ${lacking.join(', ')} are skipped: this machine does not have them.`)
mkdirSync(RESULTS, { recursive: true })
for (const file of [PASSED_FILE, FLAKY_FILE]) rmSync(file, { force: true })
const began = Date.now()
const source = sourceState()
const outcomes: Outcome[] = []
if (!has('--pictures')) {
  if (isWhole) await step('check', ['scripts/check.mjs'])
  await suite('server and rules', (failed) => runVitest(env, only, failed))
}
if (isBuildDue()) await step('build', ['scripts/build.ts'])
await suite('browser', (failed) =>
  runPlaywright(env, has('--pictures') ? ['--project=screens', ...only] : only, failed))
finish()

async function step(name: string, args: string[]) {
  const began = Date.now()
  console.log(`\n── ${name} ──`)
  const code = await run(args, env)
  console.log(`── ${name}: ${code === 0 ? 'passed' : 'failed'} after ${seconds(began)} s`)
  if (code !== 0) process.exit(1)
}

/** Ends the process after a failure. */
async function suite(name: string, run: (failed?: Failure[]) => Promise<Run>) {
  const began = Date.now()
  console.log(`\n── ${name} ──`)
  const outcome = await withSecondChance(
    async (failed) => {
      if (failed) console.log(`\n── ${name}: what failed runs again, alone ──`)
      const result = await run(failed)
      if (isStopped) process.exit(1)
      return result
    },
    { isStrict: has('--strict'), mayBeEmpty: only.length > 0 },
  )
  outcomes.push(outcome)
  console.log(`── ${name}: ${outcome.problem ?? 'passed'} after ${seconds(began)} s; the slowest files:`)
  for (const { file, ms } of outcome.files.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST_FILES))
    console.log(`   ${(ms / 1000).toFixed(1).padStart(6)} s  ${file}`)
  if (outcome.problem) finish()
}

function finish(): never {
  const sum = (what: 'passed' | 'failed' | 'skipped') => outcomes.reduce((total, it) => total + it[what], 0)
  const flaky = outcomes.flatMap((it) => it.flaky)
  const isPassed = outcomes.every((it) => !it.problem) && sum('passed') > 0
  writeFileSync(FLAKY_FILE, JSON.stringify(flaky, null, 2))
  if (isPassed && source && source === sourceState() && isWhole) {
    const passed = { commit: source, clean: true, seconds: Number(seconds(began)), tests: sum('passed'), flaky }
    writeFileSync(PASSED_FILE, JSON.stringify(passed, null, 2))
  }
  console.log(`\n${isPassed ? 'All passed' : 'Failed'} after ${seconds(began)} s.`)
  if (flaky.length > 0) console.log(`\nFlaky, passed only when run again alone (${flaky.length}):`)
  for (const { file, title, error } of flaky) {
    console.log(`  ${file} › ${title}\n    ${error}`)
    if (PROMISES.test(file))
      console.log('    Find out why before you go on: it may be a leak that happens once in many runs.')
  }
  const skipped = sum('skipped')
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  process.exit(isPassed ? 0 : 1)
}

/** The commit, unless something is uncommitted. */
function sourceState() {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  const status = git('status', '--porcelain')
  return status.status === 0 && status.stdout === '' ? git('rev-parse', 'HEAD').stdout.trim() : undefined
}

function seconds(since: number) {
  return ((Date.now() - since) / 1000).toFixed(1)
}
