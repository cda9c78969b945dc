// Finds a Chromium for the browser tests, or downloads one.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'
import { node, root } from './install.mjs'

/** Chromium without the window around the page: that takes a third of the processor while nobody sees it. */
const SHELL = 'chromium-headless-shell'
const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'microsoft-edge']
const macApps = ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
  (app) => `/Applications/${app}.app/Contents/MacOS/${app}`,
)

/** @returns {string} the path of a Chromium; ends the process with one sentence where none can be had. */
export function ensureChromium() {
  return given() ?? inPath([SHELL]) ?? shellFromDebian() ?? find() ?? download() ?? fromDebian() ?? giveUp()
}

const given = () => [process.env['CHROMIUM_PATH'] ?? ''].find((path) => existsSync(path))

const find = () => [chromium.executablePath(), ...macApps].find((path) => existsSync(path)) ?? inPath(names)

/** @param {string[]} of */
function inPath(of) {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.flatMap((folder) => of.map((name) => join(folder, name))).find((path) => existsSync(path))
}

function download() {
  console.log('No Chromium found. Downloading one with Playwright …')
  const cli = join(root, 'node_modules/@playwright/test/cli.js')
  spawnSync(node(), [cli, 'install', 'chromium'], { cwd: root, stdio: 'inherit', timeout: 300_000 })
  return find()
}

const isDebianRoot = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

/** Used only if it is available at once; without it the tests take longer. */
function shellFromDebian() {
  if (!isDebianRoot()) return undefined
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', ['install', '-qy', '--no-install-recommends', SHELL], { stdio: 'ignore', timeout: 60_000, env })
  return inPath([SHELL])
}

function fromDebian() {
  if (!isDebianRoot()) return undefined
  console.log('Playwright could not download one. Installing Debian’s chromium …')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', ['update', '-q'], { stdio: 'inherit', env })
  spawnSync('apt-get', ['install', '-qy', '--no-install-recommends', 'chromium', 'fonts-noto-color-emoji'], {
    stdio: 'inherit',
    env,
  })
  return find()
}

/** @returns {never} */
function giveUp() {
  console.error('The browser tests need Chromium. Install it, or set CHROMIUM_PATH to its path.')
  process.exit(1)
}
