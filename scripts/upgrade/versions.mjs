// The versions of Parley in one installation: the one that was installed first is its home, and the command `upgrade` puts others
// into the folder `versions` there. Built-in modules only, for the launchers.
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const PACKAGE_PATH = 'node_modules/@parley/chat'

/** The name of the version at home, as a path from the folder of the others. */
export const FIRST = '..'

/**
 * Which version runs, each by the name of its folder.
 * @typedef {object} Versions
 * @property {string} current
 * @property {string} [previous] the one before
 * @property {string} [next] to be tried, and kept if it is ready in time
 * @property {number} [readySeconds] how long `next` may take
 * @property {string} [namedAt] when it was named (ISO 8601)
 * @property {string} [since] when the first one was named of those that were neither kept nor given up
 */

/** @param {string} home */
export const folderOf = (home) => join(home, 'versions')

/** @param {string} home */
export const fileOf = (home) => join(folderOf(home), 'versions.json')

/**
 * The home of a version.
 * @param {string} root its folder with package.json: `versions/<name>`, or that of the package in it
 */
export function homeOf(root) {
  for (const folder of [dirname(root), join(root, '../../../..')])
    if (basename(folder) === 'versions' && existsSync(fileOf(dirname(folder)))) return dirname(folder)
  return root
}

/**
 * @param {string} home
 * @returns {Versions} a `current` that was removed is FIRST, which is used instead
 * @throws if the record is damaged
 */
export function readVersions(home) {
  const versions = readRecord(home)
  return isThere(home, versions.current) ? versions : { ...versions, current: FIRST }
}

/** @param {string} home @returns {Versions} */
function readRecord(home) {
  if (!existsSync(fileOf(home))) return { current: FIRST }
  const versions = JSON.parse(readFileSync(fileOf(home), 'utf8'))
  if (typeof versions?.current !== 'string') throw new Error('it names no current version')
  return versions
}

/** @param {string} home @param {string} name */
const isThere = (home, name) => existsSync(join(rootOf(home, name), 'package.json'))

/**
 * Replaces the record, in one step.
 * @param {string} home @param {Versions} versions
 */
export function writeVersions(home, versions) {
  mkdirSync(folderOf(home), { recursive: true })
  const file = fileOf(home)
  // The command and a launcher may write at the same time.
  const unfinished = `${file}.new-${process.pid}`
  const written = openSync(unfinished, 'w')
  try {
    writeFileSync(written, `${JSON.stringify(versions, null, 2)}\n`)
    fsyncSync(written)
  } finally {
    closeSync(written)
  }
  renameSync(unfinished, file)
}

/**
 * The folder with package.json of a version.
 * @param {string} home @param {string} name
 */
export function rootOf(home, name) {
  if (name === FIRST) return home
  const folder = join(folderOf(home), name)
  const packaged = join(folder, PACKAGE_PATH)
  return existsSync(packaged) ? packaged : folder
}

/**
 * What a version is called: like its folder, or at home like the version in its package.json.
 * @param {string} home @param {string} name
 * @returns {string}
 */
export const labelOf = (home, name) =>
  name === FIRST ? JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')).version : name

/**
 * The folder with package.json of the version that is to run. Falls back to the one at home if it was removed.
 * @param {string} home
 */
export function activeRoot(home) {
  try {
    const { current } = readRecord(home)
    if (isThere(home, current)) return rootOf(home, current)
    console.error(`Version ${current} of Parley is missing in ${folderOf(home)}: using ${labelOf(home, FIRST)}.`)
  } catch (error) {
    console.error(
      `${fileOf(home)} is damaged (${/** @type {Error} */ (error).message}): using ${labelOf(home, FIRST)}.`,
    )
  }
  return home
}

/**
 * The version to be tried, and when it was named; undefined without one.
 * @param {string} home
 */
export function findNext(home) {
  try {
    const { next, namedAt = '', since = namedAt } = readVersions(home)
    return next && isThere(home, next) ? { next, namedAt, since } : undefined
  } catch {
    // `activeRoot` says that the record is damaged.
    return undefined
  }
}

/**
 * Makes the version that was tried the current one.
 * @param {string} home @param {string} tried
 */
export function keep(home, tried) {
  const { current, next, ...rest } = readVersions(home)
  if (current === tried) return
  // Another one may have been named meanwhile.
  writeVersions(
    home,
    next === tried
      ? { current: tried, previous: current }
      : { ...rest, current: tried, previous: current, ...(next && { next }) },
  )
}

/**
 * Gives up the version that was tried.
 * @param {string} home @param {string} tried
 * @param {string} back the one before, which is used again
 */
export function decline(home, tried, back) {
  const { current, previous, next } = readVersions(home)
  // The command may have taken it for good already.
  if (current === tried) writeVersions(home, { current: back })
  else if (next === tried) writeVersions(home, { current, ...(previous && { previous }) })
}
