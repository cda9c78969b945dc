import type { ContentPart } from '../../records.ts'
import { MAX_MARKUP_CHARACTERS } from './markdown.ts'

/** Code blocks and spans, which contain no mentions. An unclosed block extends to the end. */
const CODE = /(`{3,}|~{3,})[\s\S]*?(?:\1|$)|(?<!`)(`{1,2})(?!`)[^\n]*?(?<!`)\2(?!`)/g

/** Replaces the matches of a pattern in Markdown outside of code by parts. */
export function replaceParts(
  text: string,
  pattern: RegExp,
  replace: (match: RegExpMatchArray) => ContentPart | undefined,
): ContentPart[] {
  if (text.length > MAX_MARKUP_CHARACTERS) return [{ text }]
  const parts: ContentPart[] = []
  const outside = (piece: string) => {
    const search = new RegExp(pattern)
    let from = 0
    for (let match = search.exec(piece); match; match = search.exec(piece)) {
      const part = replace(match)
      // An unreplaced match may contain another one.
      search.lastIndex = match.index + 1
      if (!part) continue
      parts.push({ text: piece.slice(from, match.index) }, part)
      // The unused end of the match, such as a full stop.
      const rest = 'rest' in part ? (part.rest as string) : ''
      from = match.index + match[0].length - rest.length
      search.lastIndex = from
    }
    parts.push({ text: piece.slice(from) })
  }
  let from = 0
  for (const { 0: code, index } of text.matchAll(CODE)) {
    outside(text.slice(from, index))
    parts.push({ text: code })
    from = index + code.length
  }
  outside(text.slice(from))
  return parts.filter((part) => !('text' in part) || part.text !== '').map(withoutRest)
}

const withoutRest = (part: ContentPart): ContentPart => {
  const { rest: _, ...own } = part as ContentPart & { rest?: string }
  return own
}

const BROADCASTS: Record<string, 'channel' | 'here'> = {
  channel: 'channel',
  all: 'channel',
  everyone: 'channel',
  here: 'here',
}
/** No product has longer usernames; a limit, because unknown ones are tried without each of the punctuation at their end. */
const MENTION = /(?<![\p{L}\p{N}@/._-])@([a-z0-9][a-z0-9._-]{0,199})/giu

/** Markdown with mentions by username. */
export const withMentions = (text: string, keyOf: (username: string) => string | undefined, hasBroadcast = true) =>
  replaceParts(text, MENTION, ([, word = '']) => {
    for (let name = word.toLowerCase(); name !== ''; ) {
      const key = keyOf(name)
      const rest = word.slice(name.length)
      if (key !== undefined) return { person: key, rest }
      const broadcast = Object.hasOwn(BROADCASTS, name) ? BROADCASTS[name] : undefined
      if (broadcast && hasBroadcast) return { broadcast, rest }
      const shorter = name.replace(/[._-]$/, '')
      if (shorter === name) return undefined
      name = shorter
    }
    return undefined
  })
