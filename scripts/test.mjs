// `npm test`: installs what tests need, then checks, tests the server, and walks through the client in a browser.
// `npm run test:long` gives the tests that kill and freeze things many more rounds; `npm run pictures` only takes pictures
// of every screen, at every width, in both themes.
import { ensureInstalled, isBuildDue, run } from './install.mjs'

ensureInstalled({ tools: true })
// Playwright was only installed just now.
const { ensureChromium } = await import('./chromium.mjs')
const isLong = process.argv.includes('--long')
const onlyPictures = process.argv.includes('--pictures')
const env = {
  ...process.env,
  CHROMIUM_PATH: ensureChromium(),
  ...(isLong && { LONG: '1' }),
  ...(onlyPictures && { PICTURES: 'all' }),
}

const playwright = ['node_modules/@playwright/test/cli.js', 'test']
const build = isBuildDue() ? [{ name: 'build', args: ['scripts/build.ts'] }] : []
const pictures = [...build, { name: 'pictures', args: [...playwright, '--project=screens'] }]
const all = [
  { name: 'check', args: ['scripts/check.mjs'] },
  { name: 'server and rules', args: ['node_modules/vitest/vitest.mjs', 'run'] },
  ...build,
  { name: 'browser', args: playwright },
]
const began = Date.now()
for (const { name, args } of onlyPictures ? pictures : all) {
  const startedAt = Date.now()
  console.log(`\n── ${name} ──`)
  const code = await run(args, env)
  console.log(`── ${name}: ${code === 0 ? 'passed' : 'failed'} after ${seconds(startedAt)} s`)
  if (code !== 0) process.exit(1)
}
console.log(`\nAll passed after ${seconds(began)} s.`)

/** @param {number} since */
function seconds(since) {
  return ((Date.now() - since) / 1000).toFixed(1)
}
