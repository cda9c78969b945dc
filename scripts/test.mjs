// `npm test`: installs what tests need, then runs scripts/test/main.ts; see there.
import { ensureInstalled } from './install.mjs'
import { run } from './run-node.mjs'

ensureInstalled({ tools: true })
process.exitCode = await run(['scripts/test/main.ts', ...process.argv.slice(2)])
