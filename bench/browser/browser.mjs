// `npm run bench:browser`: measures the page in a browser, on a device four times slower than this one.
import { ensureChromium } from '../../scripts/chromium.mjs'
import { isBuildDue } from '../../scripts/install.mjs'
import { run } from '../../scripts/run-node.mjs'

const env = { ...process.env, CHROMIUM_PATH: ensureChromium() }
process.exitCode =
  (isBuildDue() && (await run(['scripts/build.ts']))) ||
  (await run(['bench/browser/browser.ts', ...process.argv.slice(2)], env))
