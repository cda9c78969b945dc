// `npm run dev`: the server restarts and the page updates itself as files change.
import { ensureInstalled } from './install.mjs'
import { run } from './run-node.mjs'

ensureInstalled({ tools: true })
process.exitCode = await run(['scripts/dev.ts'])
