import { existsSync, readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, extname, join, relative, sep } from 'node:path'

/** The folder with package.json: of a clone, or of the built package (scripts/package/), which holds JavaScript. */
export const ROOT = dirname(findPackageJSON(import.meta.url) as string)

/** The ending of programs: `.ts` in a clone, `.js` in the package. */
export const PROGRAM_EXTENSION = extname(import.meta.filename)

/**
 * The folder with package.json of the version that was installed first. The command `upgrade` keeps others in its folder
 * `versions`. The launchers pass it on.
 */
export const HOME = process.env['PARLEY_HOME'] ?? ROOT

/** Whether administrators use a clone, even if the version that runs is from a package. */
const isClone = existsSync(join(HOME, 'scripts/start.mjs'))

/** The data folder if DATA_DIR is not set, relative to the working directory. */
export const STANDARD_DATA_DIR = isClone ? './data' : './parley-data'

/** The version in package.json, such as 0.2.0. */
export const VERSION: string = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version

/** What this version is called among those of the installation: like its folder, or VERSION for the first one. */
export const VERSION_NAME = HOME === ROOT ? VERSION : (relative(join(HOME, 'versions'), ROOT).split(sep)[0] as string)

/** How an administrator runs one of Parley's commands, for sentences: `npm run import -- FILE`, or `parley import FILE`. */
export function commandLine(name: string, args = ''): string {
  if (!isClone) return `parley ${name} ${args}`.trimEnd()
  return args ? `npm run ${name} -- ${args}` : `npm run ${name}`
}
