// Runs a command of package.json for administrators, with its arguments.
import { ensureInstalled } from './install.mjs'
import { run } from './run-node.mjs'

ensureInstalled({ tools: false })
process.exitCode = await run(process.argv.slice(2))
