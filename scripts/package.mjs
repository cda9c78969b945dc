// `npm run package`: builds the package (scripts/package/).
import { ensureInstalled } from './install.mjs'
import { run } from './run-node.mjs'

ensureInstalled({ tools: true })
process.exitCode = await run(['scripts/package/build-package.ts'])
