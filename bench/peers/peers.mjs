// `npm run bench:peers`: measures this Parley and other servers side by side.
import { ensureInstalled, run } from '../../scripts/install.mjs'

ensureInstalled({ tools: false })
process.exitCode = await run(['bench/peers/peers.ts', ...process.argv.slice(2)])
