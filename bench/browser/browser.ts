// Measures the page in a browser; docs/performance/bench-browser.md says what the rows mean.
import { parseArgs } from 'node:util'
import { type Cleanup, withCleanup } from '../setup/cleanup.ts'
import { firstMessages } from './first-message.ts'
import { largeWorkspace } from './large-workspace.ts'
import { openPopulatedServer } from './populated-server.ts'
import type { Row } from './row.ts'
import { switching } from './switching.ts'
import { typing } from './typing.ts'

const { values: options } = parseArgs({
  options: {
    /** The letters of the rows to measure. */
    only: { type: 'string', default: 'ghij' },
  },
})

const CPU_SLOWDOWN = 4

async function main(cleanup: Cleanup) {
  const place = await openPopulatedServer(cleanup)
  const rows: Row[] = []
  if (options.only.includes('g')) rows.push(...(await firstMessages(place, CPU_SLOWDOWN)))
  if (options.only.includes('h')) rows.push(await switching(place))
  if (options.only.includes('i')) rows.push(await typing(place, 1), await typing(place, CPU_SLOWDOWN))
  // Last, because it makes the workspace large.
  if (options.only.includes('j')) rows.push(...(await largeWorkspace(place, CPU_SLOWDOWN)))
  console.log(`\n${table(rows)}\n`)
}

function table(rows: Row[]) {
  return [
    '| row | measured | aim |',
    '|---|---|---|',
    ...rows.map((row) => `| ${row.name} | ${row.figures} | ${row.aim} |`),
  ].join('\n')
}

await withCleanup(main)
