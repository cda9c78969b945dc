// `npm run seed`: fills the workspace with people and conversations.
import { ensureInstalled, run } from './install.mjs'

ensureInstalled({ tools: false })
process.exitCode = await run(['scripts/seed.ts', ...process.argv.slice(2)])
