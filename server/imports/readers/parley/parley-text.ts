import { limits } from '#contract/limits'
import type { ContentPart } from '../../records.ts'
import { replaceParts, withMentions } from '../common/mentions.ts'

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const PLACE = `/channels/${ID}\\?message=(${ID})(?:&thread=${ID})?`
/** A link to a message, whatever the workspace's address was, with a label or as pasted. A quote (`contract/quotes.ts`) is marked. */
const MESSAGE_LINK = new RegExp(
  [
    `\\[([^[\\]\\n]*)\\]\\((?:https?://[^\\s()<>/]+)?${PLACE}(#quote)?\\)`,
    `(?<![\\w(])https?://[^\\s()<>/]+${PLACE}(?:#quote)?(?![\\w-])`,
  ].join('|'),
  'gi',
)
/** Channel names as the browser finds them: not inside a word or an address. */
const CHANNEL = new RegExp(`(?<![\\p{L}\\p{M}\\p{N}#&_/])#([^\\s#][^\\n]{0,${limits.channelName - 1}})`, 'gu')
const CONTINUES = /^[._-]*[\p{L}\p{M}\p{N}]/u

interface Named {
  personOf: (username: string) => string | undefined
  /** By lower-case name. */
  channelOf: (name: string) => string | undefined
  hasBroadcast: boolean
}

/** A message's text. Links to messages, channels and mentions become parts, because names may differ here. */
export function parleyText(text: string, { personOf, channelOf, hasBroadcast }: Named): ContentPart[] {
  const links = replaceParts(text, MESSAGE_LINK, ([all, label, labelled, mark, pasted]) => {
    const message = (labelled ?? pasted ?? '').toLowerCase()
    return { message, text: all, ...(label !== undefined && { label }), ...(mark && { isQuote: true }) }
  })
  return links
    .flatMap((part) => (isText(part) ? withMentions(part.text, personOf, hasBroadcast) : part))
    .flatMap((part) => (isText(part) ? withChannels(part.text, channelOf) : part))
}

const isText = (part: ContentPart): part is { text: string } => 'text' in part && !('message' in part)

/** Names may contain spaces and full stops, so the longest match wins. */
const withChannels = (text: string, channelOf: Named['channelOf']) =>
  replaceParts(text, CHANNEL, ([, word = '']) => {
    for (let end = word.length; end > 0; end--) {
      const name = word.slice(0, end)
      const channel = channelOf(name.toLowerCase())
      if (channel !== undefined && !CONTINUES.test(word.slice(end))) return { channel, name, rest: word.slice(end) }
    }
    return undefined
  })
