// Finds a Chromium for the browser tests, or downloads one.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { inPath, install, installMissing } from './debian.mjs'
import { node, root } from './run-node.mjs'

/** Chromium without a window, which would take a third of the CPU time for nothing. */
const CHROMIUM_SHELL = 'chromium-headless-shell'
const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'microsoft-edge']
const macApps = ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
  (app) => `/Applications/${app}.app/Contents/MacOS/${app}`,
)

/** @returns {string} the path of a Chromium; exits with one sentence if none is available. */
export function ensureChromium() {
  const given = process.env['CHROMIUM_PATH'] ?? ''
  if (existsSync(given)) return given
  installMissing([CHROMIUM_SHELL])
  return inPath(CHROMIUM_SHELL) ?? find() ?? download() ?? fromDebian() ?? giveUp()
}

const find = () =>
  [chromium.executablePath(), ...macApps].find((path) => existsSync(path)) ?? names.map(inPath).find((path) => path)

function download() {
  console.log('No Chromium found. Downloading one with Playwright …')
  const cli = join(root, 'node_modules/@playwright/test/cli.js')
  spawnSync(node(), [cli, 'install', 'chromium'], { cwd: root, stdio: 'inherit', timeout: 300_000 })
  return find()
}

function fromDebian() {
  install(['chromium', 'fonts-noto-color-emoji'])
  return find()
}

/** @returns {never} */
function giveUp() {
  console.error('The browser tests need Chromium. Install it, or set CHROMIUM_PATH to its path.')
  process.exit(1)
}
