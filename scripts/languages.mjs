// `npm run languages`: sorts the languages' files, and lists missing texts.
import { ensureInstalled, run } from './install.mjs'

ensureInstalled({ tools: true })
process.exitCode = await run(['scripts/languages.ts', ...process.argv.slice(2)])
