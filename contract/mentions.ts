import * as z from 'zod/mini'
import { UserId } from './ids.ts'
import { limits } from './limits.ts'

/**
 * A member or a group mentioned in a text. `username` is as written and may have changed since. For a group, `userId` is the
 * group's id.
 */
export const Mention = z.object({ userId: UserId, username: z.string(), isGroup: z.optional(z.boolean()) })
export type Mention = z.output<typeof Mention>

/** The people mentioned by their own names, not through groups. */
export const namedPeople = (mentions: readonly Mention[]) =>
  mentions.filter(({ isGroup }) => !isGroup).map(({ userId }) => userId)

/** A mention of all members, or of those who were online at the time. */
export const Broadcast = z.enum(['channel', 'here'])
export type Broadcast = z.output<typeof Broadcast>

/** Words that mention everyone; the first two are suggested. */
const BROADCASTS = new Map<string, Broadcast>([
  ['channel', 'channel'],
  ['here', 'here'],
  ['everyone', 'channel'],
  ['all', 'channel'],
])

/**
 * Doesn't match inside a word, an address or a path; but some scripts put no space between words, and `_` and `-` may precede
 * the `@`. A letter that usernames cannot contain may not follow, or a prefix of another name would match.
 */
const CALL =
  /(?<![[\p{L}\p{N}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}]][._\-]*|[@\/])@([a-z0-9._\-]+)(?![\p{sc=Latin}\p{M}\p{N}])/giv

/** An unclosed block extends to the end; an unclosed span is plain text. A span ends with its paragraph. */
const BLOCKS = /(`{3,}|^~~~)[\s\S]*?(?:\1|(?![\s\S]))`*/gm
const SPANS = /(?<!`)(``?)(?!`)(?:(?!\n[ \t]*\n)[\s\S])*?(?<!`)\1(?!`)/g

/**
 * The usernames that each `@` in a text may mean, longest first, because a full stop may belong to the name or end the
 * sentence. Code mentions nobody.
 */
export function mentionedIn(content: string): { names: string[][]; broadcast: Broadcast | null } {
  const names = new Map<string, string[]>()
  let broadcast: Broadcast | null = null
  if (!content.includes('@')) return { names: [], broadcast }
  const outsideCode = content.replace(BLOCKS, ' ').replace(SPANS, ' ')
  for (const [, called = ''] of outsideCode.matchAll(CALL)) {
    const word = called.toLowerCase()
    const meant = readings(word)
    const call = meant.map((name) => BROADCASTS.get(name)).find(Boolean)
    if (call) broadcast = broadcast === 'channel' ? broadcast : call
    else if (meant.length > 0) names.set(word, meant)
  }
  return { names: [...names.values()], broadcast }
}

/** `ada.l.` may be ada.l. or ada.l: a name, with and without trailing punctuation. */
function readings(word: string): string[] {
  const shortest = word.replace(/[._-]+$/, '').length
  const { min, max } = limits.username
  const all: string[] = []
  for (let end = Math.min(word.length, max); end >= Math.max(shortest, min); end--) all.push(word.slice(0, end))
  return all
}
