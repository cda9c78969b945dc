// Runs a command of package.json for administrators, with its arguments.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled } from './install.mjs'
import { COMMAND_FLAGS, home, run } from './run-node.mjs'
import { activeRoot } from './upgrade/versions.mjs'

const [program = '', ...args] = process.argv.slice(2)
const active = activeRoot(home)
if (active === home) ensureInstalled({ tools: false })
const source = join(active, program)
// The version may come from a package.
const path = existsSync(source) ? source : source.replace(/\.ts$/, '.js')
process.exitCode = await run([...COMMAND_FLAGS, path, ...args], process.env, home)
