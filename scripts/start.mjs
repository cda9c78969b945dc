// `npm start`: installs and builds what is due, then runs the server on Node 24.
import { ensureInstalled, isBuildDue, run } from './install.mjs'

ensureInstalled({ tools: false })
if (isBuildDue() && (await run(['scripts/build.ts'])) !== 0) process.exit(1)
process.exitCode = await run(['server/main.ts'])
