// `npm run migrate`: migrates the database of DATABASE_URL, for nodes that run with MIGRATE=off.
import { ensureInstalled } from './install.mjs'
import { run } from './run-node.mjs'

ensureInstalled({ tools: false })
process.exitCode = await run(['scripts/migrate.ts'])
