import { codeAt } from './code-ranges.ts'
import type { TextChange } from './edit-text.ts'

/** Quote markers, then a list marker with the space after it. */
const LINE_PREFIX = /^([ \t]*(?:>[ \t]?)*)(?:([-*+]|\d{1,9}[.)])([ \t]+))?/

/**
 * The edit for a new line that continues a list, a quote or the indentation of code: another item or, after an empty
 * one, the end of the list. Returns undefined if there is nothing to continue.
 */
export function continueList(text: string, caret: number): TextChange | undefined {
  const start = text.lastIndexOf('\n', caret - 1) + 1
  const line = text.slice(start, caret)
  if (codeAt(text, caret) === 'block') {
    const [indent = ''] = /^[ \t]*/.exec(line) ?? []
    return indent === '' ? undefined : insertion(caret, `\n${indent}`)
  }
  const [all = '', outer = '', sign, gap = ''] = LINE_PREFIX.exec(line) ?? []
  const isQuote = outer.includes('>')
  if (sign === undefined && !isQuote) return undefined
  const end = text.indexOf('\n', caret)
  const isEmpty = line === all && text.slice(caret, end < 0 ? undefined : end).trim() === ''
  if (isEmpty) {
    const quote = sign !== undefined && isQuote ? outer : ''
    return { from: start, to: caret, text: quote, select: [start + quote.length, start + quote.length] }
  }
  return insertion(caret, `\n${outer}${sign === undefined ? '' : nextMarker(sign) + gap}`)
}

const insertion = (caret: number, text: string): TextChange => ({
  from: caret,
  to: caret,
  text,
  select: [caret + text.length, caret + text.length],
})

const nextMarker = (sign: string) => sign.replace(/\d+/, (number) => String(Number(number) + 1))
