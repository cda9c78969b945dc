// Measures Parley against ceilings taken in the same run; docs/performance/bench.md says what the rows mean.
import { parseArgs } from 'node:util'
import type { Pace } from './report/measure.ts'
import { openReport, type Report } from './report/report.ts'
import type { Row } from './report/row.ts'
import { verifyStored } from './report/verify-stored.ts'
import { measureBackup } from './rows/backup.ts'
import { measureChannels } from './rows/channels.ts'
import { measureFiles } from './rows/files.ts'
import { measureFootprint } from './rows/footprint.ts'
import { liveRows } from './rows/live.ts'
import { nodeRows } from './rows/nodes.ts'
import { measurePages } from './rows/pages.ts'
import { measureScale } from './rows/scale.ts'
import { measureSearch } from './rows/search.ts'
import { measureSends } from './rows/sends.ts'
import { measureStart } from './rows/start.ts'
import { type Cleanup, withCleanup } from './setup/cleanup.ts'
import { createFixture, type Fixture } from './setup/fixture.ts'
import { openWorkbench } from './setup/workbench.ts'

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    /** The groups of rows to measure, separated by commas. */
    only: { type: 'string' },
    /** Folder for CPU profiles of the servers. */
    profile: { type: 'string' },
  },
})
const pace: Pace = options.quick
  ? { rounds: 2, seconds: 0.4, warmUp: 1, messages: 60_000 }
  : { rounds: 3, seconds: 2, warmUp: 3, messages: 1_000_000 }
const flags = options.profile ? ['--cpu-prof', '--cpu-prof-interval=500', `--cpu-prof-dir=${options.profile}`] : []

/** Measured in this order on one server; the last groups fill its database. */
const staged: Record<string, (fixture: Fixture) => AsyncGenerator<Row>> = {
  sends: measureSends,
  files: measureFiles,
  channels: measureChannels,
  pages: measurePages,
  search: measureSearch,
  scale: measureScale,
}
const names = ['start', 'footprint', 'live', 'nodes', 'backup', ...Object.keys(staged)]
/** These take long, so they run only if requested. */
const ON_REQUEST = ['backup', 'scale']
const only = options.only?.split(',') ?? names.filter((name) => !ON_REQUEST.includes(name))
for (const name of only) if (!names.includes(name)) throw new Error(`--only takes some of ${names.join(',')}`)

async function measure(cleanup: Cleanup) {
  const report = openReport(process.argv.slice(2))
  if (only.includes('start')) for await (const row of measureStart(cleanup, pace)) report.add(row)
  if (only.includes('footprint')) for await (const row of measureFootprint(cleanup, options.quick)) report.add(row)
  if (only.includes('live')) for await (const row of liveRows(cleanup, options.quick, flags)) report.add(row)
  if (only.includes('nodes')) for await (const row of nodeRows(cleanup, options.quick, flags)) report.add(row)
  if (only.includes('backup')) for await (const row of measureBackup(cleanup, options.quick)) report.add(row)
  const verdict = only.some((name) => name in staged) ? await measureStaged(cleanup, report) : undefined
  await report.close(verdict)
}

/** Checks all acknowledged messages against the database. */
async function measureStaged(cleanup: Cleanup, report: Report): Promise<string | undefined> {
  const fixture = await createFixture(await openWorkbench(cleanup, flags), pace)
  for (const [name, rows] of Object.entries(staged))
    if (only.includes(name)) for await (const row of rows(fixture)) report.add(row)
  return fixture.sent.length > 0 ? verifyStored(fixture.bench.database.pool, fixture.sent) : undefined
}

await withCleanup(measure)
