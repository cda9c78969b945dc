import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, extname, join } from 'node:path'

/** The folder with package.json: of a clone, or of the built package (scripts/package/), which holds JavaScript. */
export const ROOT = dirname(findPackageJSON(import.meta.url) as string)

/** The ending of programs: `.ts` in a clone, `.js` in the package. */
export const PROGRAM_EXTENSION = extname(import.meta.filename)

const isPackage = PROGRAM_EXTENSION === '.js'

/** The data folder if DATA_DIR is not set, relative to the working directory. */
export const STANDARD_DATA_DIR = isPackage ? './parley-data' : './data'

/** The version in package.json, such as 0.2.0. */
export const VERSION: string = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version

/** How an administrator runs one of Parley's commands, for sentences: `npm run import -- FILE`, or `parley import FILE`. */
export function commandLine(name: string, args = ''): string {
  if (isPackage) return `parley ${name} ${args}`.trimEnd()
  return args ? `npm run ${name} -- ${args}` : `npm run ${name}`
}
