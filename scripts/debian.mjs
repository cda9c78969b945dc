// Debian's packages, for programs that tests need and npm does not have.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const DOWNLOAD_TIMEOUT_MS = 120_000
const LOCK_TIMEOUT_SECONDS = 60
const LISTS = '/var/lib/apt/lists'
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
 * Installs the packages whose program of the same name is missing, if root asks for it on a Debian. What cannot be had stays
 * missing.
 * @param {string[]} names
 */
export function installMissing(names) {
  const missing = names.filter((name) => !inPath(name))
  if (missing.length === 0 || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  console.log(`Installing ${missing.join(', ')} with apt-get …`)
  if (!hasLists()) download(['update'])
  // One by one, because apt-get installs nothing if it does not know one of them.
  for (const name of missing) {
    const install = ['install', '-y', '--no-install-recommends', name]
    // Killed after a while if it only downloads, but never while it unpacks.
    if (download([...install, '--download-only'])) aptGet([...install, '--no-download'])
  }
}

const hasLists = () =>
  existsSync(LISTS) && readdirSync(LISTS).some((file) => file.endsWith('_Packages') || file.includes('_Packages.'))

/** @param {string[]} args */
const download = (args) => aptGet(args, { timeout: DOWNLOAD_TIMEOUT_MS })

/**
 * @param {string[]} args
 * @param {{ timeout?: number }} [options]
 */
function aptGet(args, options) {
  const quiet = ['-qq', '-o', `DPkg::Lock::Timeout=${LOCK_TIMEOUT_SECONDS}`]
  return spawnSync('apt-get', [...quiet, ...args], { stdio: 'ignore', env, ...options }).status === 0
}
