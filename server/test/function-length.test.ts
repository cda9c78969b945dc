import { globSync, readFileSync } from 'node:fs'
import { parseSync } from 'vite'
import { expect, it } from 'vitest'

/** The maximum number of a function's own lines, without those of nested functions. */
const MAX_LINES = 120
/** Lines that fit on a screen. */
const SCREEN_LINES = 60
/** How many functions may be longer than a screen. Lower it when you split one. */
const MAX_LONG_FUNCTIONS = 4

interface Measured {
  name: string
  place: string
  lines: number
}

/** A node of a syntax tree. */
interface Node {
  type: string
  start: number
  end: number
  id?: { name?: string } | null
  key?: { name?: string }
}

const isFunction = ({ type }: Node) =>
  type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression'

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** All functions of a file. */
function functionsIn(file: string) {
  const source = readFileSync(file, 'utf8')
  const lineOf = lineFinder(source)
  const found: Measured[] = []

  /** Measures the functions in a syntax tree. Returns how many lines they subtract from the enclosing function. */
  function measure(node: Node, nameAround: string): number {
    const name = node.id?.name ?? node.key?.name ?? nameAround
    const nameOfParts = isFunction(node) ? `a function in ${name}` : name
    const inner = Object.values(node)
      .flat()
      .filter(isNode)
      .reduce((sum, part) => sum + measure(part, nameOfParts), 0)
    if (!isFunction(node)) return inner
    const first = lineOf(node.start)
    const linesBelow = lineOf(node.end) - first
    found.push({ name, place: `${file}:${first}`, lines: linesBelow + 1 - inner })
    return linesBelow
  }

  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`Couldn't parse ${file}: ${errors[0]?.message}`)
  measure(program, 'the file')
  return found
}

/** Maps a position in a text to its line, counted from 1. */
function lineFinder(text: string) {
  const ends = [...text.matchAll(/\n|$/g)].map(({ index }) => index)
  return (position: number) => {
    let [low, high] = [0, ends.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle] as number) < position) low = middle + 1
      else high = middle
    }
    return low + 1
  }
}

it('functions fit on a screen, and none is twice as long', () => {
  const files = globSync(['server/**/*.ts', 'web/**/*.{ts,tsx}', 'contract/**/*.ts', 'scripts/**/*.{ts,mjs}']).filter(
    (file) => !/\.test\.ts|\.d\.ts$|\/test\/|\/migrations\//.test(file),
  )
  const long = files
    .flatMap(functionsIn)
    .filter(({ lines }) => lines > SCREEN_LINES)
    .sort((a, b) => b.lines - a.lines)
  const describe = ({ name, place, lines }: Measured) => `${place} ${name}: ${lines} lines`
  const tooLong = long.filter(({ lines }) => lines > MAX_LINES).map(describe)

  expect(tooLong, `A function has at most ${MAX_LINES} lines of its own. Split it by what its parts mean`).toEqual([])
  expect(
    long.length,
    `More functions than before have over ${SCREEN_LINES} lines of their own. Split one:\n${long.map(describe).join('\n')}\n`,
  ).toBeLessThanOrEqual(MAX_LONG_FUNCTIONS)
})
