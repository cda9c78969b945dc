// `npm run check`: format, lint, types and generated files.
import { ensureInstalled } from './install.mjs'
import { run } from './run-node.mjs'

ensureInstalled({ tools: true })
const steps = [
  ['node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', '.'],
  ['node_modules/typescript/bin/tsc', '--build'],
  ['scripts/generate.ts', '--check'],
]
for (const step of steps) {
  if ((await run(step)) !== 0) process.exit(1)
}
