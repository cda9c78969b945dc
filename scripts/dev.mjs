// `npm run dev`: the server restarts and the page updates itself as files change.
import { ensureInstalled, run } from './install.mjs'

ensureInstalled({ tools: true })
process.exitCode = await run(['scripts/dev.ts'])
