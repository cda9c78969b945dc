import { inPath } from '../../../scripts/debian.mjs'

/**
 * The path of a program that tests run. Undefined, with a line that says so, if this machine lacks it: its tests are
 * skipped. `npm test` installs them where it can.
 */
export function findProgram(name: string): string | undefined {
  const path = inPath(name)
  if (!path) console.warn(`${name} is not installed, so its tests are skipped.`)
  return path
}
