// Runs a command of package.json for the person who runs the server, with its arguments.
import { ensureInstalled, run } from './install.mjs'

ensureInstalled({ tools: false })
process.exitCode = await run(process.argv.slice(2))
