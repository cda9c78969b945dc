import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const INSTALL_TIMEOUT_MS = 120_000

/**
 * The path of a program that tests run: the machine's own, or the one of the Debian package of the same name, which root
 * installs. Undefined, with a line that says so, if it cannot be had: its tests are skipped.
 */
export function findProgram(name: string): string | undefined {
  const path = inPath(name) ?? installed(name)
  if (!path) console.warn(`${name} is not installed, so its tests are skipped.`)
  return path
}

const inPath = (name: string) =>
  [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))

function installed(name: string) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const options = { stdio: 'ignore', timeout: INSTALL_TIMEOUT_MS, env } as const
  spawnSync('apt-get', ['install', '-qy', '--no-install-recommends', name], options)
  return inPath(name)
}
