// `npm run bench`: measures this Parley against the ceilings of the machine.
import { ensureInstalled, run } from '../scripts/install.mjs'

ensureInstalled({ tools: false })
process.exitCode = await run(['bench/bench.ts', ...process.argv.slice(2)])
