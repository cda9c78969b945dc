// Runs the checks, the tests of the server and the rules, and journeys through the client in a browser. Reruns failures, alone.
//   --strict    without reruns of failures
//   --long      with the long lane, and many more rounds of the tests that kill and freeze things
//   --slow      only journeys of `npm test` in conversations, with a CPU four times slower; part of the long lane
//   --pictures  only pictures of every screen, at every width, in both themes
//   --tour      only the pictures of the README, from the demo
//   --soak      only tests that take an hour each
//   WORD …      only the test files with one of these words in their path
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureChromium } from '../chromium.mjs'
import { inPath, install, installMissing } from '../debian.mjs'
import { isBuildDue } from '../install.mjs'
import { root, run } from '../run-node.mjs'
import { type Failure, type Outcome, type Run, withSecondChance } from './second-chance.ts'
import { RESULTS, runPlaywright, runVitest } from './suites.ts'

const SLOWEST_FILES = 10
/** A flaky test among these may indicate a leak that happens once in many runs. */
const PROMISES = /^server\/test\/(promises|security)\//
/** What the demo is written in. Without them, its pictures show boxes. */
const TOUR_FONTS = ['fonts-noto-color-emoji', 'fonts-noto-cjk', 'fonts-noto-core']
const PASSED_FILE = join(RESULTS, 'passed.json')
const FLAKY_FILE = join(RESULTS, 'flaky.json')

interface Part {
  name: string
  env: NodeJS.ProcessEnv
  args: string[]
  /** Files to run if no words are given; all if omitted. */
  files?: string[]
}

/** Journeys that run separately. */
const PARTS: Record<string, Part> = {
  '--slow': {
    name: 'browser, on a slow processor',
    env: { SLOW: '4', LONG: '' },
    // Chromium slows a page down by keeping the CPU busy.
    args: ['--workers=1'],
    files: ['channels', 'connection', 'files', 'messages', 'search', 'threads'].map((folder) => `e2e/${folder}/`),
  },
  '--pictures': { name: 'pictures', env: { PICTURES: 'all' }, args: ['--project=screens'] },
  '--tour': { name: 'tour', env: { TOUR: '1' }, args: ['--project=tour'] },
  '--soak': { name: 'soak', env: { SOAK: '1' }, args: ['--project=soak'] },
}
const FLAGS = ['--strict', '--long', ...Object.keys(PARTS)]
const TEST_FILES = '{contract,e2e,scripts,server,web}/**/*.{test,spec}.ts'

const { flags, words } = Object.groupBy(process.argv.slice(2), (it) => (it.startsWith('-') ? 'flags' : 'words'))
const has = (flag: string) => flags?.includes(flag) ?? false
const only = filesOf(words)
/** Programs that some tests need; these are skipped without them. */
const programs = ['redis-server', 'pebble', ...(has('--long') ? ['faketime', 'nginx', 'haproxy', 'caddy'] : [])]
const env = {
  ...process.env,
  CHROMIUM_PATH: ensureChromium(),
  ...(has('--long') && { LONG: '1' }),
}
const part = flags?.find((flag) => flag in PARTS)

// A suite that was asked to stop is not a failure to investigate.
let isStopped = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => (isStopped = true))

installMissing(programs)
const lacking = programs.filter((name) => !inPath(name))
if (lacking.length > 0)
  console.log(`Tests that need ${lacking.join(', ')} are skipped: this machine does not have them.`)
if (part === '--tour') install(TOUR_FONTS)
mkdirSync(RESULTS, { recursive: true })
for (const file of [PASSED_FILE, FLAKY_FILE]) rmSync(file, { force: true })
const began = Date.now()
const source = sourceState()
const outcomes: Outcome[] = []
if (part) await runPart(part)
else if (only) await runFiles(only)
else {
  await step('check', ['scripts/check.mjs'])
  await suite('server and rules', (failed) => runVitest(env, [], failed))
  await runJourneys('browser')
  if (has('--long')) await runPart('--slow')
}
finish()

async function runFiles(files: string[]) {
  const journeys = files.filter(isJourney)
  const others = files.filter((file) => !isJourney(file))
  if (others.length > 0) await suite('server and rules', (failed) => runVitest(env, others, failed))
  if (journeys.length > 0) await runJourneys('browser', journeys)
}

function runPart(flag: string) {
  const { name, args, env, files = [] } = PARTS[flag] as Part
  return runJourneys(name, [...args, ...(only?.filter(isJourney) ?? files)], env)
}

/** @param only files, or a project; empty for all */
async function runJourneys(name: string, only: string[] = [], further: NodeJS.ProcessEnv = {}) {
  if (isBuildDue()) await step('build', ['scripts/build.ts'])
  await suite(name, (failed) => runPlaywright({ ...env, ...further }, only, failed))
}

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
  const outcome = await withSecondChance(async (failed) => {
    if (failed) console.log(`\n── ${name}: what failed runs again, alone ──`)
    const result = await run(failed)
    if (isStopped) process.exit(1)
    return result
  }, has('--strict'))
  outcomes.push(outcome)
  console.log(`── ${name}: ${outcome.problem ?? 'passed'} after ${seconds(began)} s; the slowest files:`)
  for (const { file, ms } of outcome.files.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST_FILES))
    console.log(`   ${(ms / 1000).toFixed(1).padStart(6)} s  ${file}`)
  if (outcome.problem) finish()
}

function finish(): never {
  const sum = (what: 'passed' | 'failed' | 'skipped') => outcomes.reduce((total, it) => total + it[what], 0)
  const flaky = outcomes.flatMap((it) => it.flaky)
  const isPassed = outcomes.every((it) => !it.problem)
  writeFileSync(FLAKY_FILE, JSON.stringify(flaky, null, 2))
  if (isPassed && source && source === sourceState() && !only && !part) {
    const lane = has('--long') ? 'long' : 'short'
    const passed = { commit: source, clean: true, lane, seconds: Number(seconds(began)), tests: sum('passed'), flaky }
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

/** The commit, unless there are uncommitted changes. */
function sourceState() {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  const status = git('status', '--porcelain')
  return status.status === 0 && status.stdout === '' ? git('rev-parse', 'HEAD').stdout.trim() : undefined
}

/** The test files with one of these words in their path. Exits for an unknown flag, or a word without files. */
function filesOf(words: string[] | undefined) {
  const unknown = flags?.find((flag) => !FLAGS.includes(flag))
  if (unknown) return refuse(`There is no ${unknown}, only ${FLAGS.join(', ')} and words.`)
  if (!words) return undefined
  const all = globSync(TEST_FILES, { cwd: root }).map((file) => file.replaceAll('\\', '/'))
  const odd = words.find((word) => !all.some((file) => file.includes(word)))
  if (odd) return refuse(`No test file has ${odd} in its path.`)
  const files = all.filter((file) => words.some((word) => file.includes(word)))
  const inLane = files.filter((file) => isInLane(file, '--long', '.long.') && isInLane(file, '--soak', '.soak.'))
  return inLane.length > 0 ? inLane : refuse(`${files.join(', ')}: run them with --long or --soak.`)
}

function isInLane(file: string, flag: string, mark: string) {
  return has(flag) || !file.includes(mark)
}

function isJourney(file: string) {
  return file.endsWith('.spec.ts')
}

function refuse(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}

function seconds(since: number) {
  return ((Date.now() - since) / 1000).toFixed(1)
}
