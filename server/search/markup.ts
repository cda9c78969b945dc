export type Range = readonly [from: number, to: number]

interface Markup {
  /** Only the group `kept` of a match remains. */
  pattern: RegExp
  /** Whether the remaining text is not parsed as markup again. */
  isLiteral?: boolean
}

/** Markup in the order of removal. Every pattern is bounded, so no text takes long. */
const MARKUP: readonly Markup[] = [
  // A code block; without an end it extends to the end of the message.
  {
    pattern:
      /^[ \t]{0,3}(?<fence>`{3,20}|~{3,20})[^`\n]*\n(?<kept>[\s\S]*?)(?:^[ \t]{0,3}\k<fence>[ \t]*$|$(?![\s\S]))/dgm,
    isLiteral: true,
  },
  { pattern: /(?<!`)(?<tick>`{1,2})(?!`)(?<kept>[^`\n]{1,2000})\k<tick>(?!`)/dg, isLiteral: true },
  { pattern: /\\(?<kept>[!-/:-@[-`{-~])/dg, isLiteral: true },
  { pattern: /!?\[(?<kept>[^[\]\n]{0,1000})\]\([^()\s]{0,2000}(?:[ \t]{1,9}"[^"\n]{0,300}")?\)/dg },
  { pattern: /<(?<kept>https?:\/\/[^\s<>]{1,2000})>/dg, isLiteral: true },
  { pattern: /(?<kept>\bhttps?:\/\/[^\s<>*]{1,2000})/dg, isLiteral: true },
  // A horizontal rule, and the line below a table's header.
  { pattern: /^[ \t]*(?:(?:[-*_][ \t]*){3,}|\|(?=[^\n]*-)[-:| \t]+)$(?<kept>)/dgm },
  { pattern: /^[ \t]*\|(?<kept>[^\n]*)\|[ \t]*$/dgm },
  // Quotes, followed by a heading, list item or task.
  { pattern: /^[ \t]*(?:>[ \t]?)*[ \t]*(?:#{1,6}[ \t]+|[-+*][ \t]+(?:\[[ xX]\][ \t]+)?)?(?<kept>)/dgm },
  ...['\\*\\*', '__', '~~'].map((mark) => ({
    pattern: new RegExp(`${mark}(?=\\S)(?<kept>[^\\n]{1,300}?)(?<=\\S)${mark}`, 'dg'),
  })),
  {
    pattern: /(?<![\p{L}\p{N}])(?<mark>[*_])(?=\S)(?<kept>[^\n]{1,300}?)(?<=\S)\k<mark>(?![\p{L}\p{N}])/dgu,
  },
]

interface Remaining {
  text: string
  /** Maps each position of `text`, and its end, to its position in the message. */
  places: number[]
}

/**
 * A message as one line of plain text, without markup.
 * @param shown ranges of the message that must remain, even if they are markup
 */
export function withoutMarkup(message: string, shown: readonly Range[] = []): string {
  /** 1 where the message is taken literally. */
  const literal = new Uint8Array(message.length)
  for (const [from, to] of shown) literal.fill(1, from, to)
  let remaining: Remaining = { text: message, places: Array.from({ length: message.length + 1 }, (_, at) => at) }
  for (const markup of MARKUP) remaining = remove(markup, remaining, literal)
  return onOneLine(remaining, breaksBetweenItems(message, literal))
}

const ITEM = /^[ \t>]*(?:[-+*]|\d{1,9}[.)])[ \t]+\S/

/** The positions of line breaks between two items of a list. */
function breaksBetweenItems(message: string, literal: Uint8Array): Set<number> {
  const breaks = new Set<number>()
  let isInList = false
  let at = 0
  for (const line of message.split('\n')) {
    const isItem = ITEM.test(line)
    if (isItem && isInList && !literal[at - 1]) breaks.add(at - 1)
    if (line.trim() !== '') isInList = isItem
    at += line.length + 1
  }
  return breaks
}

/** Replaces line breaks with spaces, and those between items of a list with dots. */
function onOneLine({ text, places }: Remaining, breaks: Set<number>): string {
  const line = text.replace(/\s+/g, (space, start: number) => {
    // At the start, an item without text precedes it, such as a picture.
    const isBreak = start > 0 && places.slice(start, start + space.length).some((place) => breaks.has(place))
    return isBreak ? ' · ' : ' '
  })
  return line.trim()
}

/** Removes one kind of markup where the message is not literal, and marks what becomes literal. */
function remove({ pattern, isLiteral }: Markup, { text, places }: Remaining, literal: Uint8Array): Remaining {
  const parts: Range[] = []
  const placeOf = (at: number) => places[at] as number
  const isRemovable = (from: number, to: number) => {
    for (let at = from; at < to; at++) if (literal[placeOf(at)]) return false
    return true
  }
  let end = 0
  for (const { 0: match, index, indices } of text.matchAll(pattern)) {
    const [from, to] = indices?.groups?.['kept'] ?? [index, index]
    const after = index + match.length
    if (!isRemovable(index, from) || !isRemovable(to, after)) continue
    if (isLiteral) literal.fill(1, placeOf(from), placeOf(to))
    if (to - from === match.length) continue
    parts.push([end, index], [from, to])
    end = after
  }
  if (parts.length === 0) return { text, places }
  parts.push([end, text.length])
  return {
    text: parts.map(([from, to]) => text.slice(from, to)).join(''),
    places: [...parts.flatMap(([from, to]) => places.slice(from, to)), placeOf(text.length)],
  }
}
