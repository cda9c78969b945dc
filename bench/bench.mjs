// `npm run bench`: measures this Parley against what the machine could do at best.
import { ensureInstalled, run } from '../scripts/install.mjs'

ensureInstalled({ tools: false })
process.exitCode = await run(['bench/bench.ts', ...process.argv.slice(2)])
