// `npm start`: installs and builds if needed, then becomes the server on Node 24, or runs it.
import { join } from 'node:path'
import { prepareStart } from './install.mjs'
import { home, serve } from './run-node.mjs'
import { activeRoot, findNext } from './upgrade/versions.mjs'

const unknown = process.argv.slice(2).find((arg) => arg !== '--demo')
if (unknown) {
  console.error(`"npm start" takes no arguments besides "-- --demo", but "${unknown}" was given.`)
  process.exit(1)
}
if (process.argv.includes('--demo')) process.env['DEMO'] = 'on'
process.chdir(home)
const active = activeRoot(home)
// Another version that is to be tried must not wait for this one, or fail with it.
if (active === home && !findNext(home)) await prepareStart()
else if (active !== home) console.log(`Starting the version in ${active}, which "npm run upgrade" installed.`)
await serve([join(active, 'scripts/upgrade/launch.mjs')])
