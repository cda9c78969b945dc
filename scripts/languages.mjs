// `npm run languages`: sorts the languages' files, and lists missing texts.
import { ensureInstalled } from './install.mjs'
import { run } from './run-node.mjs'

ensureInstalled({ tools: true })
process.exitCode = await run(['scripts/languages.ts', ...process.argv.slice(2)])
