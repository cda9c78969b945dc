// Runs a command of package.json for administrators, with its arguments.
import { ensureInstalled, run } from './install.mjs'

ensureInstalled({ tools: false })
process.exitCode = await run(process.argv.slice(2))
