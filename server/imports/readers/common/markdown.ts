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
    .replace(/^(\s*)([-:=]+[-\s:|\\]*)$/, '$1\\$2')
    .replace(/^(\s*)\[(?=[ xX]\])/, '$1\\[')

/** Inline code, with as many backticks as it needs. */
export function inlineCode(text: string): string {
  if (text.length > MAX_MARKUP_CHARACTERS) return codeBlock(text)
  const code = text.replace(/\s*\n\s*/g, ' ')
  if (code.trim() === '') return code
  const longest = Math.max(0, ...(code.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  const padding = /^[` ]|[` ]$/.test(code) ? ' ' : ''
  return `${fence}${padding}${code}${padding}${fence}`
}

export function codeBlock(code: string, language = ''): string {
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${/^[\w+#-]*$/.test(language) ? language : ''}\n${code.replace(/\n$/, '')}\n${fence}`
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
  return markdown.replace(/^(\s*)(\S.*?)(\s*)$/gm, `$1${marks}$2${closing}$3`)
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
