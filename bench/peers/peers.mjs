// `npm run bench:peers`: measures this Parley and other servers side by side.
import { ensureInstalled } from '../../scripts/install.mjs'
import { run } from '../../scripts/run-node.mjs'

ensureInstalled({ tools: false })
process.exitCode = await run(['bench/peers/peers.ts', ...process.argv.slice(2)])
