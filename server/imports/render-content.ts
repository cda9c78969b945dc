import { limits } from '#contract/limits'
import type { Broadcast, Mention } from '#contract/mentions'
import { messagePath, quoteOf } from '#contract/quotes'
import type { ContentPart } from './records.ts'

/** Resolves the references in a text. */
export interface Names {
  person(key: string): { id: string; username: string } | undefined
  channel(key: string): string | undefined
  /** The id of an imported message and its channel. */
  message(key: string): { id: string; channelId: string } | undefined
}

interface Rendered {
  content: string
  mentions: Mention[]
  broadcast: Broadcast | null
  /** Whether it links to a message that is not imported yet. */
  isPending: boolean
}

const WORD = /[\p{L}\p{N}@#_-]/u

/** Renders a text's parts. Mentions and channels are separated from the surrounding text. */
export function renderContent(parts: readonly ContentPart[], names: Names): Rendered {
  let content = ''
  let isPending = false
  let broadcast: Broadcast | null = null
  const mentions = new Map<string, Mention>()
  let isName = false
  const add = (text: string, isNextName: boolean) => {
    const needsSpace = (isNextName || isName) && WORD.test(content.at(-1) ?? ' ') && WORD.test(text[0] ?? ' ')
    content += (needsSpace ? ' ' : '') + text
    isName = isNextName
  }
  for (const part of parts) {
    if ('text' in part && !('message' in part)) add(part.text, false)
    else if ('person' in part) {
      const person = names.person(part.person)
      if (person && mentions.size < limits.mentions)
        mentions.set(person.id, { userId: person.id, username: person.username })
      add(person ? `@${person.username}` : '@…', true)
    } else if ('channel' in part) add(`#${names.channel(part.channel) ?? part.name ?? '…'}`, true)
    else if ('broadcast' in part) {
      broadcast = broadcast === 'channel' ? broadcast : part.broadcast
      add(`@${part.broadcast}`, true)
    } else {
      const target = names.message(part.message)
      isPending ||= !target
      const label = (part.label ?? part.text).replace(/[[\]]/g, '').trim()
      add(target ? linkTo(target, label, part.isQuote) : part.text, false)
    }
  }
  return { content: storable(content), mentions: [...mentions.values()], broadcast, isPending }
}

function linkTo({ id, channelId }: { id: string; channelId: string }, label: string, isQuote = false) {
  const place = { channelId, messageId: id }
  if (isQuote) return quoteOf(place, label)
  const path = messagePath(place)
  // URLs of the other product are meaningless here.
  return `[${/^https?:|^\/channels\/|^$/.test(label) ? path : label}](${path})`
}

/** PostgreSQL stores neither NUL nor lone surrogates. */
export const storable = (text: string) => text.replaceAll('\0', '').toWellFormed()

/** Splits a text that is too long for one message, preferably at line breaks. */
export function splitContent(content: string, max: number = limits.messageContent): string[] {
  const pieces: string[] = []
  let rest = content
  while (rest.length > max) {
    const line = rest.lastIndexOf('\n', max)
    const end = line > max / 2 ? line : max - (/[\ud800-\udbff]/.test(rest[max - 1] ?? '') ? 1 : 0)
    pieces.push(rest.slice(0, end))
    rest = rest.slice(end).replace(/^\n/, '')
  }
  return [...pieces, rest]
}
