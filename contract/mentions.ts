import * as z from 'zod/mini'
import { UserId } from './ids.ts'
import { limits } from './limits.ts'

/** A member named in a text. `username` is as the text has it, also after they took another one. */
export const Mention = z.object({ userId: UserId, username: z.string() })
export type Mention = z.output<typeof Mention>

/** Whom a text calls besides those it names: all members, or those of them who were online then. */
export const Broadcast = z.enum(['channel', 'here'])
export type Broadcast = z.output<typeof Broadcast>

/** Words that call everyone; the first two of them are what is offered. */
const BROADCASTS = new Map<string, Broadcast>([
  ['channel', 'channel'],
  ['here', 'here'],
  ['everyone', 'channel'],
  ['all', 'channel'],
])

/**
 * Not within a word, an address or a path; but some scripts put no space between words, and `_` and `-` may stand before
 * for themselves. After it no letter that a username cannot hold, or it would be cut out of another name.
 */
const CALL =
  /(?<![[\p{L}\p{N}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}]][._\-]*|[@\/])@([a-z0-9._\-]+)(?![\p{sc=Latin}\p{M}\p{N}])/giv

/** An open block goes to the end, an open span is none; a span does not go beyond its paragraph. */
const BLOCKS = /(`{3,}|^~~~)[\s\S]*?(?:\1|(?![\s\S]))`*/gm
const SPANS = /(?<!`)(``?)(?!`)(?:(?!\n[ \t]*\n)[\s\S])*?(?<!`)\1(?!`)/g

/**
 * Whom a text may mean by `@`: for each name in it the usernames it can mean, the longest first, because a name may hold
 * the stop that ends the sentence. Code calls nobody.
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

/** `ada.l.` may be ada.l. or ada.l: a name and its forms without what punctuation ends it. */
function readings(word: string): string[] {
  const shortest = word.replace(/[._-]+$/, '').length
  const { min, max } = limits.username
  const all: string[] = []
  for (let end = Math.min(word.length, max); end >= Math.max(shortest, min); end--) all.push(word.slice(0, end))
  return all
}
