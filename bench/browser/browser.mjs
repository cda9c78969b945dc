// `npm run bench:browser`: measures the page in a browser, on a device four times slower than this one.
import { ensureChromium } from '../../scripts/chromium.mjs'
import { isBuildDue, run } from '../../scripts/install.mjs'

const env = { ...process.env, CHROMIUM_PATH: ensureChromium() }
process.exitCode =
  (isBuildDue() && (await run(['scripts/build.ts']))) ||
  (await run(['bench/browser/browser.ts', ...process.argv.slice(2)], env))
