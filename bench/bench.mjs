// `npm run bench`: measures this Parley against the ceilings of the machine.
import { ensureInstalled } from '../scripts/install.mjs'
import { run } from '../scripts/run-node.mjs'

ensureInstalled({ tools: false })
process.exitCode = await run(['bench/bench.ts', ...process.argv.slice(2)])
