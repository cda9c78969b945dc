import { SETTING_NAMES } from './config.ts'

/** Shorter names would be one typo away from every second four-letter word. */
const MIN_LETTERS = 6
const LETTERS_PER_ERROR = 5
/** Not 3: AWS_SECRET_ACCESS_KEY is that far from S3_SECRET_ACCESS_KEY. */
const MAX_ERRORS = 2

/** Warnings about variables that are probably misspelt settings, such as SIGN_UP. They show no values. */
export function findMisspelt(environment: NodeJS.ProcessEnv): string[] {
  const unknown = Object.keys(environment).filter((name) => !SETTING_NAMES.includes(name))
  return unknown.flatMap((name) => {
    const meant = SETTING_NAMES.find((setting) => !environment[setting] && isNear(name, setting))
    return meant ? [`${name} is not a setting of Parley and is ignored. Did you mean ${meant}?`] : []
  })
}

function isNear(name: string, setting: string): boolean {
  const [a, b] = [name, setting].map((it) => it.replaceAll(/[-_]/g, '').toUpperCase()) as [string, string]
  if (a === b) return true
  const maxErrors = b.length < MIN_LETTERS ? 0 : Math.min(Math.floor(b.length / LETTERS_PER_ERROR), MAX_ERRORS)
  return Math.abs(a.length - b.length) <= maxErrors && countErrors(a, b) <= maxErrors
}

/** The number of letters omitted, added, replaced or swapped with their neighbour. */
function countErrors(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  const at = (i: number, j: number) => rows[i]?.[j] as number
  for (let i = 1; i <= a.length; i++) {
    rows.push([i])
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwapped ? at(i - 2, j - 2) + 1 : replaced
      rows[i]?.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, swapped))
    }
  }
  return at(a.length, b.length)
}
