import type { TextChange } from './edit-text.ts'
import type { Mark } from './mark-keys.ts'

/** Adds marks around the selection, or removes them; without a selection the caret goes between the marks. */
export function toggleMark(text: string, start: number, end: number, mark: Mark): TextChange {
  const [from, to] = trimRange(text, start, end)
  if (from === to) return atCaret(text, end, mark)
  const words = text.slice(from, to)
  if (mark !== '`') return toggleAround(text, from, to, words, mark)
  return words.includes('\n') || isFenced(text, from, to) ? toggleBlock(text, from, to) : toggleSpan(text, from, to)
}

/** The range without surrounding spaces, where marks have no effect, and without a leading list marker. */
function trimRange(text: string, start: number, end: number): [number, number] {
  const selected = text.slice(start, end)
  const isLineStart = start === 0 || text[start - 1] === '\n'
  const sign = isLineStart ? (/^[ \t]*(?:(?:[-*+>]|\d{1,9}[.)])[ \t]+)+/.exec(selected)?.[0].length ?? 0) : 0
  const space = /^\s*/.exec(selected.slice(sign))?.[0].length ?? 0
  const from = start + sign + space
  return [from, Math.max(from, start + selected.trimEnd().length)]
}

function atCaret(text: string, caret: number, mark: Mark): TextChange {
  const { length } = mark
  const before = text.slice(text.lastIndexOf('\n', caret - 1) + 1, caret)
  const isOpened = has(runAtEnd(before, mark), mark)
  const isClosed = has(runAtStart(text.slice(caret), mark), mark)
  // Empty marks are removed.
  if (isOpened && isClosed) return change(caret - length, caret + length, '', [0, 0])
  // At the end of marked text the caret moves past the mark.
  if (isClosed && before.includes(mark)) return change(caret, caret + length, mark, [length, length])
  return change(caret, caret, mark + mark, [length, length])
}

function toggleAround(text: string, from: number, to: number, words: string, mark: Exclude<Mark, '`'>): TextChange {
  const { length } = mark
  const isWithin = words.length > 2 * length && has(runAtStart(words, mark), mark) && has(runAtEnd(words, mark), mark)
  if (isWithin) return change(from, to, words.slice(length, -length), [0, words.length - 2 * length])
  const isAround = has(runAtEnd(text.slice(0, from), mark), mark) && has(runAtStart(text.slice(to), mark), mark)
  if (isAround) return change(from - length, to + length, words, [0, words.length])
  return change(from, to, mark + words + mark, [length, length + words.length])
}

const toggleSpan = (text: string, from: number, to: number): TextChange => {
  const words = text.slice(from, to)
  const within = /^(`+)( ?)([\s\S]*[^`])\2\1$/.exec(words)
  if (within && !(within[3] as string).includes(within[1] as string)) {
    const [, , , bare = ''] = within
    return change(from, to, bare, [0, bare.length])
  }
  const around = /(`+)( ?)$/.exec(text.slice(0, from))
  const [, fence = '', gap = ''] = around ?? []
  if (around && text.startsWith(gap + fence, to)) {
    const length = fence.length + gap.length
    return change(from - length, to + length, words, [0, words.length])
  }
  const sign = '`'.repeat(longestRun(words) === 1 ? 2 : 1)
  const space = words.includes('`') ? ' ' : ''
  return change(from, to, sign + space + words + space + sign, [
    sign.length + space.length,
    sign.length + space.length + words.length,
  ])
}

const isFenced = (text: string, from: number, to: number) =>
  /(?:^|\n)`{3,}[^\n`]*\n$/.test(text.slice(0, from)) && /^\n`{3,}[ \t]*(?:\n|$)/.test(text.slice(to))

/** Puts the selection between fences, or removes them. */
export function toggleBlock(text: string, from: number, to: number): TextChange {
  const words = text.slice(from, to)
  if (isFenced(text, from, to)) {
    const head = /`{3,}[^\n`]*\n$/.exec(text.slice(0, from))?.[0].length ?? 0
    const foot = /^\n`{3,}[ \t]*/.exec(text.slice(to))?.[0].length ?? 0
    return change(from - head, to + foot, words, [0, words.length])
  }
  const within = /^(`{3,})[^\n`]*\n([\s\S]*)\n\1$/.exec(words)
  if (within) {
    const [, , bare = ''] = within
    return change(from, to, bare, [0, bare.length])
  }
  const fence = '`'.repeat(Math.max(3, longestRun(words) + 1))
  const head = `${from === 0 || text[from - 1] === '\n' ? '' : '\n'}${fence}\n`
  const foot = `\n${fence}${to === text.length || text[to] === '\n' ? '' : '\n'}`
  return change(from, to, head + words + foot, [head.length, head.length + words.length])
}

/** @param select relative to the start of the change */
const change = (from: number, to: number, text: string, [start, end]: [number, number]): TextChange => ({
  from,
  to,
  text,
  select: [from + start, from + end],
})

const runs = { '*': [/^\*+/, /\*+$/], '~': [/^~+/, /~+$/], '`': [/^`+/, /`+$/] } as const
const runsOf = (mark: Mark) => runs[mark[0] as keyof typeof runs]
const runAtStart = (text: string, mark: Mark) => text.length - text.replace(runsOf(mark)[0], '').length
const runAtEnd = (text: string, mark: Mark) => text.length - text.replace(runsOf(mark)[1], '').length
const longestRun = (text: string) => Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))

/** Whether a run of marks contains one: three asterisks are italic and bold. */
const has = (run: number, mark: Mark) => (mark.length === 2 ? run >= 2 : run % 2 === 1)
