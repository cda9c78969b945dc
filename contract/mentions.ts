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
const BROADCASTS: Record<string, Broadcast> = { channel: 'channel', here: 'here', everyone: 'channel', all: 'channel' }

const CALL = /(?<![\p{L}\p{N}_@./-])@([a-z0-9._-]+)/giu

/**
 * Whom a text may mean by `@`: for each place the usernames it can mean, the longest first, because a name may hold the
 * stop that ends the sentence. Code calls nobody.
 */
export function mentionedIn(content: string): { names: string[][]; broadcast: Broadcast | null } {
  const names = new Map<string, string[]>()
  let broadcast: Broadcast | null = null
  if (!content.includes('@')) return { names: [], broadcast }
  for (const [, word = ''] of withoutCode(content).matchAll(CALL)) {
    const meant = readings(word.toLowerCase())
    const call = meant.map((name) => BROADCASTS[name]).find(Boolean)
    if (call) broadcast = broadcast === 'channel' ? broadcast : call
    else if (names.size < limits.mentions) names.set(word, meant)
  }
  return { names: [...names.values()], broadcast }
}

/** `ada.l.` may be ada.l. or ada.l: a name and its forms without what punctuation ends it. */
function readings(word: string): string[] {
  const all = [word]
  for (let end = word.length; end > 0 && '._-'.includes(word[end - 1] as string); end--)
    all.push(word.slice(0, end - 1))
  return all.filter(({ length }) => length >= limits.username.min && length <= limits.username.max)
}

/** Blocks and spans of code become a space; an open block goes to the end, an open span is none. */
function withoutCode(content: string): string {
  const outside = (text: string, fence: string) => {
    const parts = text.split(fence)
    const isOpen = parts.length % 2 === 0
    return parts.filter((_, i) => i % 2 === 0 || (isOpen && fence === '`' && i === parts.length - 1)).join(' ')
  }
  return outside(content, '```')
    .split('\n')
    .map((line) => outside(line, '`'))
    .join('\n')
}
