import type { ContentPart } from '../../records.ts'

/** Longer texts keep their markup unchanged: finding pairs takes quadratic time. No product allows texts this long. */
export const MAX_MARKUP_CHARACTERS = 40_000

/** A web address, without trailing punctuation, which belongs to the sentence. */
const ADDRESS = /(?<![\p{L}\p{N}_/])https?:\/\/[^\s<>`*~|\\]*[^\s<>`*~|\\?!.,:"'_\])(}&;[]/giu

/** Escapes text so that Markdown renders it literally. */
export function escapeMarkdown(text: string, isLineStart = true): string {
  let escaped = ''
  let from = 0
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    escaped += escapeInline(text.slice(from, index)) + address
    from = index + address.length
  }
  escaped += escapeInline(text.slice(from))
  return escaped.replace(/^.*$/gm, (line, index: number) => (index === 0 && !isLineStart ? line : escapeStart(line)))
}

const escapeInline = (text: string) =>
  text
    .replace(/\\(?=[!-/:-@[-`{-~]|\n|$)/g, '\\\\')
    .replace(/[`*~|]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/\](?=\(|\[|$)|^\(/g, '\\$&')
    .replace(/<(?=[a-z/!?]|$)/gi, '\\<')
    .replace(/&(?=#?\w|$)/g, '\\&')

/** Marks of headings, quotes, lists, rules and tables at the start of a line. */
const escapeStart = (line: string) =>
  line
    .replace(/^(\s*)(#{1,6}(?=\s|$)|>|[-+](?=\s|$))/, '$1\\$2')
    .replace(/^(\s*\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
    .replace(/^(\s*)([-:=]+(?![-:=])[-\s:|\\]*)$/, '$1\\$2')
    .replace(/^(\s*)\[(?=[ xX]\])/, '$1\\[')

/** Inline code, with as many backticks as it needs. */
export function inlineCode(text: string): string {
  if (text.length > MAX_MARKUP_CHARACTERS) return codeBlock(text)
  const code = text.replace(/\s+/g, (space) => (space.includes('\n') ? ' ' : space))
  if (code.trim() === '') return code
  const fence = fenceOf(code, 1)
  const padding = /^[` ]|[` ]$/.test(code) ? ' ' : ''
  return `${fence}${padding}${code}${padding}${fence}`
}

export function codeBlock(code: string, language = ''): string {
  const fence = fenceOf(code, 3)
  return `${fence}${/^[\w+#-]*$/.test(language) ? language : ''}\n${code.replace(/\n$/, '')}\n${fence}`
}

const MAX_FENCE = 100

/** More backticks than the code has in a row, within reason. */
function fenceOf(code: string, least: number): string {
  let longest = least - 1
  for (const [run] of code.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return '`'.repeat(Math.min(longest + 1, MAX_FENCE))
}

/** A Markdown link with a label that is already Markdown. */
export function linkTo(url: string, markdown: string): string {
  const address = url.replace(/[\s<>\\]/g, encodeURIComponent)
  return `[${markdown}](${/[()]/.test(address) ? `<${address}>` : address})`
}

export interface Style {
  bold?: boolean
  italic?: boolean
  strike?: boolean
  code?: boolean
}

/** Wraps Markdown in marks, line by line: marks neither span lines nor touch spaces. */
export function styled(markdown: string, { bold, italic, strike }: Style): string {
  const marks = `${bold ? '**' : ''}${italic ? '*' : ''}${strike ? '~~' : ''}`
  if (!marks || markdown.length > MAX_MARKUP_CHARACTERS) return markdown
  const closing = `${strike ? '~~' : ''}${italic ? '*' : ''}${bold ? '**' : ''}`
  return markdown.replace(/.+/g, (line) => {
    const words = line.trim()
    return words === '' ? line : line.replace(words, () => marks + words + closing)
  })
}

export const quoted = (parts: ContentPart[]): ContentPart[] => [
  { text: '> ' },
  ...parts.map((part) =>
    'text' in part && Object.keys(part).length === 1 ? { text: part.text.replaceAll('\n', '\n> ') } : part,
  ),
]

/** Joins adjacent texts, and drops empty ones. */
export function joined(parts: ContentPart[]): ContentPart[] {
  const all: ContentPart[] = []
  for (const part of parts) {
    const last = all.at(-1)
    if (!isText(part)) all.push(part)
    else if (last && isText(last)) all[all.length - 1] = { text: last.text + part.text }
    else if (part.text !== '') all.push(part)
  }
  return all
}

export const isText = (part: ContentPart): part is { text: string } => 'text' in part && !('message' in part)
