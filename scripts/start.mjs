// `npm start`: installs and builds if needed, then becomes the server on Node 24, or runs it.
import { ensureInstalled, isBuildDue } from './install.mjs'
import { become, run, SERVER } from './run-node.mjs'

ensureInstalled({ tools: false })
if (isBuildDue() && (await run(['scripts/build.ts'])) !== 0) process.exit(1)
become(SERVER)
process.exitCode = await run(SERVER)
