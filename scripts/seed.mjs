// `npm run seed`: fills the workspace with people and conversations.
import { ensureInstalled } from './install.mjs'
import { run } from './run-node.mjs'

ensureInstalled({ tools: false })
process.exitCode = await run(['scripts/seed.ts', ...process.argv.slice(2)])
