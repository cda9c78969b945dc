import type { TextChange } from './edit-text.ts'

/** The prefix of each line in a block. */
export type LineFormat = 'list' | 'numbers' | 'quote'

const PREFIXES: Record<LineFormat, RegExp> = { list: /^[-*+] /, numbers: /^\d{1,9}[.)] /, quote: /^> ?/ }
/** A line has at most one of these. */
const LIST_PREFIX = /^(?:[-*+]|\d{1,9}[.)]) /

/** Adds a prefix to each line that the selection touches, or removes it if all of them have it. */
export function toggleLines(text: string, start: number, end: number, format: LineFormat): TextChange {
  const from = text.slice(0, start).lastIndexOf('\n') + 1
  // A selection that ends before a line does not touch it.
  const last = end > start && text[end - 1] === '\n' ? end - 1 : end
  const lineEnd = text.indexOf('\n', last)
  const to = lineEnd < 0 ? text.length : lineEnd
  const lines = text.slice(from, to).split('\n')
  const prefix = PREFIXES[format]
  const isFormatted = lines.every((line) => prefix.test(line) || (line === '' && lines.length > 1))
  const changed = isFormatted ? lines.map((line) => line.replace(prefix, '')) : addPrefixes(lines, format)
  const block = changed.join('\n')
  // Otherwise markdown would join the next line to the block.
  const next = text.slice(to + 1).split('\n', 1)[0] ?? ''
  const gap = !isFormatted && next !== '' && !prefix.test(next) ? '\n' : ''
  const moved = block.length - (to - from)
  const select: [number, number] = start === end ? [start + moved, start + moved] : [from, from + block.length]
  return { from, to, text: block + gap, select: [Math.max(from, select[0]), Math.max(from, select[1])] }
}

function addPrefixes(lines: string[], format: LineFormat) {
  if (format === 'quote') return lines.map((line) => (line === '' && lines.length > 1 ? '>' : `> ${line}`))
  let number = 0
  return lines.map((line) => {
    if (line === '' && lines.length > 1) return line
    number++
    return (format === 'list' ? '- ' : `${number}. `) + line.replace(LIST_PREFIX, '')
  })
}

/** Makes the selection a link and puts the caret where the address or the words are missing, or unlinks a selected link. */
export function toggleLink(text: string, start: number, end: number): TextChange {
  const selected = text.slice(start, end)
  const words = selected.trim()
  const from = start + selected.indexOf(words)
  const to = from + words.length
  const link = /^\[((?:\\.|[^\]\\])*)\]\(([^()\s]*)\)$/.exec(words)
  if (link) {
    const bare = (link[1] as string).replace(/\\([[\]])/g, '$1')
    return { from, to, text: bare, select: [from, from + bare.length] }
  }
  if (/^https?:\/\/\S+$/i.test(words)) return { from, to, text: `[](${words})`, select: [from + 1, from + 1] }
  const label = words.replace(/[[\]]/g, '\\$&')
  const caret = from + 1 + (label === '' ? 0 : label.length + 2)
  return { from, to, text: `[${label}]()`, select: [caret, caret] }
}
