import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * The path of a program that tests run. Undefined, with a line that says so, if this machine lacks it: its tests are
 * skipped. `npm test` installs them where it can.
 */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  const path = folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
  if (!path) console.warn(`${name} is not installed, so its tests are skipped.`)
  return path
}
