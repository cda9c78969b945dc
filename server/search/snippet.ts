import { fold } from '#contract/fold'
import { withoutMarkup } from './markup.ts'
import { joined, type Match, matchesIn } from './matches.ts'

/** Two lines, with some margin for wide screens. */
const MAX_SNIPPET_CHARACTERS = 300
/** Columns in the first line on a phone: a letter takes one, a Chinese character or an emoji two. */
const LINE_COLUMNS = 44
const MAX_COLUMNS_BEFORE_MATCH = 40
/** Terms within this distance of each other are likely shown together. */
const NEAR_CHARACTERS = 160
const MAX_MATCHES = 50
/** Longer messages are parsed only around their first match. */
const MAX_PARSED_CHARACTERS = 3000

interface Snippet {
  content: string
  matches: [number, number][]
}

/** The part of a message around its best match: plain text on one line, with the match in the first displayed line. */
export function snippetOf(message: string, terms: readonly string[]): Snippet {
  const text = plainWithTerms(partToParse(message, terms), terms)
  const found = matchesIn(text, terms)
  const best = bestOf(found)
  const start = best ? startBefore(text, best) : 0
  const end = boundary(text, Math.min(text.length, Math.max(start + MAX_SNIPPET_CHARACTERS, best?.to ?? 0)))
  const lead = start > 0 ? '…' : ''
  const shown = found.filter(({ from, to }) => from >= start && from < end && to > start)
  return {
    content: `${lead}${text.slice(start, end)}${end < text.length ? '…' : ''}`,
    matches: rangesOf(shown).map(([from, to]) => [from - start + lead.length, Math.min(to, end) - start + lead.length]),
  }
}

/** A whole text without markup, such as a file name. */
export const wholeSnippet = (text: string, terms: readonly string[]): Snippet => ({
  content: text,
  matches: rangesOf(matchesIn(text, terms)),
})

const rangesOf = (found: readonly Match[]) => joined(found.map(({ from, to }) => [from, to])).slice(0, MAX_MATCHES)

function partToParse(message: string, terms: readonly string[]) {
  if (message.length <= MAX_PARSED_CHARACTERS) return message
  const first = bestOf(matchesIn(message, terms))?.from ?? 0
  const start = boundary(message, Math.max(0, first - MAX_PARSED_CHARACTERS / 2))
  return message.slice(start, boundary(message, Math.min(message.length, start + MAX_PARSED_CHARACTERS)))
}

/** A message without its markup, except where the search matches the markup, such as a link's URL. */
function plainWithTerms(message: string, terms: readonly string[]): string {
  const isMissing = (text: string) => {
    const folded = fold(text)
    return (term: string) => !folded.includes(term)
  }
  const plain = withoutMarkup(message)
  const absent = terms.filter(isMissing(plain))
  // Folding is most of the work, and most messages have no match in their markup.
  if (absent.length === 0 && plain !== '') return plain
  const oneLine = message.replace(/\s+/g, ' ')
  const isAbsent = isMissing(oneLine)
  const missing = absent.filter((term) => !isAbsent(term))
  if (missing.length === 0) return plain || oneLine
  const kept = withoutMarkup(message, rangesOf(matchesIn(message, missing)))
  const present = terms.filter((term) => !isAbsent(term))
  return present.some(isMissing(kept)) ? oneLine : kept
}

/** Prefers whole words, then the match with the most terms nearby, then the first. */
function bestOf(found: readonly Match[]): Match | undefined {
  const termsNear = ({ from }: Match) =>
    new Set(found.filter((it) => Math.abs(it.from - from) < NEAR_CHARACTERS).map(({ term }) => term)).size
  const words = found.filter(({ isWord }) => isWord)
  const [first, ...others] = words.length > 0 ? words : found
  if (!first) return undefined
  let best = { match: first, near: termsNear(first) }
  for (const match of others.slice(0, MAX_MATCHES)) {
    const near = termsNear(match)
    if (near > best.near) best = { match, near }
  }
  return best.match
}

/** Where to start so that a match is in the first line: at a word, unless the match's own word is longer than the line. */
function startBefore(text: string, { from, to }: Match): number {
  const wordEnd = to + text.slice(to).search(/\s|$/)
  const before = LINE_COLUMNS - columnsOf(text.slice(from, wordEnd))
  const starts = startsBefore(text, from, before).filter(
    (start) => start === 0 || (text[start - 1] === ' ' && text[start] !== '·'),
  )
  const [first] = starts
  if (first !== undefined) return first
  // Browsers move a long word to the next line before breaking it, so nothing may precede it.
  const wordStart = text.lastIndexOf(' ', from - 1) + 1
  const within = startsBefore(text, from, LINE_COLUMNS - columnsOf(text.slice(from, to)))
  return Math.max(wordStart, within[0] ?? from)
}

/** Positions at most `maxColumns` before `from`, including `from` itself; farthest first. */
function startsBefore(text: string, from: number, maxColumns: number): number[] {
  if (maxColumns < 0) return []
  const pieceStart = boundary(text, Math.max(0, from - MAX_SNIPPET_CHARACTERS / 2))
  const starts = [from]
  let columns = 0
  for (const { segment, index } of graphemesOf(text.slice(pieceStart, from)).reverse()) {
    columns += widthOf(segment)
    if (columns > Math.min(maxColumns, MAX_COLUMNS_BEFORE_MATCH)) break
    starts.unshift(pieceStart + index)
  }
  return starts
}

const segmenter = new Intl.Segmenter()
/** The characters as displayed: an emoji of several code points is one. */
const graphemesOf = (text: string) =>
  /^[ -~]*$/.test(text) ? Array.from(text, (segment, index) => ({ segment, index })) : [...segmenter.segment(text)]
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|\p{RGI_Emoji}|[\u{16fe0}-\u{1b2ff}\u{20000}-\u{3fffd}]/v
const widthOf = (grapheme: string) => (WIDE.test(grapheme) ? 2 : 1)

/** The columns of a text; for very long texts, just more than fit on a line. */
function columnsOf(text: string) {
  return graphemesOf(text.slice(0, MAX_SNIPPET_CHARACTERS)).reduce((sum, { segment }) => sum + widthOf(segment), 0)
}

/** Avoids splitting a surrogate pair. */
const boundary = (text: string, at: number) => (/[\udc00-\udfff]/.test(text[at] ?? '') ? at - 1 : at)
