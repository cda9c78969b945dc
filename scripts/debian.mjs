// Debian packages for programs that tests need and npm doesn't provide.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const DOWNLOAD_TIMEOUT_MS = 120_000
const LOCK_TIMEOUT_SECONDS = 60
const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }

/**
 * @param {string} name of a program
 * @returns {string | undefined} its path
 */
export const inPath = (name) =>
  [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))

/**
 * Installs the packages whose program of the same name is missing.
 * @param {string[]} names
 */
export function installMissing(names) {
  const missing = names.filter((name) => !inPath(name))
  if (missing.length > 0) install(missing)
}

/**
 * Installs packages when run by root on Debian. Ignores unavailable ones.
 * @param {string[]} names
 */
export function install(names) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  console.log(`Installing ${names.join(', ')} with apt-get …`)
  let isUpdated = false
  // One by one, because apt-get installs nothing if one of them is unknown.
  for (const name of names) {
    const args = ['install', '-y', '--no-install-recommends', name]
    // The timeout applies to downloads only, so that unpacking is never interrupted.
    const download = () => aptGet([...args, '--download-only'], { timeout: DOWNLOAD_TIMEOUT_MS })
    let isDownloaded = download()
    if (!isDownloaded && !isUpdated) {
      // The package lists are missing or too old.
      isUpdated = true
      isDownloaded = aptGet(['update'], { timeout: DOWNLOAD_TIMEOUT_MS }) && download()
    }
    if (isDownloaded) aptGet([...args, '--no-download'])
  }
}

/**
 * @param {string[]} args
 * @param {{ timeout?: number }} [options]
 */
function aptGet(args, options) {
  const quiet = ['-qq', '-o', `DPkg::Lock::Timeout=${LOCK_TIMEOUT_SECONDS}`]
  return spawnSync('apt-get', [...quiet, ...args], { stdio: 'ignore', env, ...options }).status === 0
}
