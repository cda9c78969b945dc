import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * The path of a program used by tests. If it is missing on this machine, prints that and returns undefined, and its tests are
 * skipped. `npm test` installs these programs where it can.
 */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  const path = folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
  if (!path) console.warn(`${name} is not installed, so its tests are skipped.`)
  return path
}
