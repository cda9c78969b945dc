import type { Readable } from 'node:stream'
import { Tokenizer, TokenParser, TokenType } from '@streamparser/json'
import { ImportProblem } from '../import-problem.ts'
import type { ImportArchive } from '../records.ts'
import { MAX_RECORD_BYTES } from './bounds.ts'

/** Products nest only a few levels, but a hostile file could nest millions. */
const MAX_DEPTH = 100

/** An element of a list in the file: `{ "table": [value, …] }`, or a field of an object there. */
interface JsonElement {
  table: string
  key: string | number
  value: unknown
}

/** The elements of `[value, …]`, or the fields of an object, one at a time. */
export async function* readElements(archive: ImportArchive, name: string): AsyncGenerator<unknown> {
  for await (const { value } of parse(archive, name, '$.*')) yield value
}

/** The elements of all lists and objects of `{ "table": [value, …] }`, one at a time. */
export const readTables = (archive: ImportArchive, name: string): AsyncGenerator<JsonElement> =>
  parse(archive, name, '$.*.*')

async function* parse(archive: ImportArchive, name: string, path: string): AsyncGenerator<JsonElement> {
  let found: JsonElement[] = []
  let [position, recordStart, depth] = [0, 0, 0]
  const tokenizer = new Tokenizer()
  const parser = new TokenParser({ paths: [path], keepStack: false })
  const damaged = (error: Error) => {
    throw error instanceof ImportProblem ? error : new ImportProblem('damaged', name, error)
  }
  tokenizer.onError = damaged
  parser.onError = damaged
  tokenizer.onToken = (token) => {
    if (token.token === TokenType.LEFT_BRACE || token.token === TokenType.LEFT_BRACKET) depth += 1
    if (token.token === TokenType.RIGHT_BRACE || token.token === TokenType.RIGHT_BRACKET) depth -= 1
    if (depth > MAX_DEPTH) throw new ImportProblem('damaged', name)
    parser.write(token)
  }
  parser.onValue = ({ value, key, stack }) => {
    recordStart = position
    found.push({ table: String(stack.at(-1)?.key ?? ''), key: key ?? '', value })
  }
  const stream = await archive.open(name)
  for await (const text of decoded(stream)) {
    const problem = failureOf(() => tokenizer.write(text))
    position += text.length
    yield* found
    found = []
    // Everything before the damage has been yielded.
    if (problem !== undefined) throw problem
    if (position - recordStart > MAX_RECORD_BYTES) throw new ImportProblem('recordTooLarge', name)
  }
  if (!parser.isEnded) throw new ImportProblem('damaged', name)
  yield* found
}

function failureOf(act: () => void): unknown {
  try {
    act()
    return undefined
  } catch (error) {
    return error
  }
}

/** Reads a small file as a whole. */
export async function readSmallJson(archive: ImportArchive, name: string): Promise<unknown> {
  let text = ''
  for await (const chunk of decoded(await archive.open(name))) {
    text += chunk
    if (text.length > MAX_RECORD_BYTES) throw new ImportProblem('recordTooLarge', name)
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ImportProblem('damaged', name, error)
  }
}

/** Decodes text in pieces, without a byte order mark. Invalid UTF-8 becomes U+FFFD. */
async function* decoded(stream: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const chunk of stream) {
    const text = decoder.decode(chunk as Buffer, { stream: true })
    if (text) yield text
  }
  const rest = decoder.decode()
  if (rest) yield rest
}

interface JsonLine {
  /** From 1. */
  number: number
  /** Undefined if the line is not JSON, too long or too deep. */
  value: unknown
}

/** JSON lines, one at a time. */
export async function* readLines(archive: ImportArchive, name: string): AsyncGenerator<JsonLine> {
  let [rest, number, isTooLong] = ['', 0, false]
  const end = (line: string): JsonLine[] => {
    number += 1
    const wasTooLong = isTooLong
    isTooLong = false
    if (wasTooLong) return [{ number, value: undefined }]
    return line.trim() === '' ? [] : [{ number, value: parseLine(line) }]
  }
  for await (const chunk of decoded(await archive.open(name))) {
    const lines = chunk.split('\n')
    for (const [index, part] of lines.entries()) {
      if (isTooLong || rest.length + part.length > MAX_RECORD_BYTES) {
        isTooLong = true
        rest = ''
      } else rest += part
      if (index === lines.length - 1) break
      yield* end(rest)
      rest = ''
    }
  }
  if (rest !== '' || isTooLong) yield* end(rest)
}

function parseLine(line: string): unknown {
  try {
    return isTooDeep(line) ? undefined : JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Also counts brackets in strings, which hardly matters because they usually come in pairs. */
function isTooDeep(line: string) {
  let depth = 0
  for (const bracket of line.match(/[[\]{}]/g) ?? []) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1
    if (depth > 10 * MAX_DEPTH) return true
  }
  return false
}
