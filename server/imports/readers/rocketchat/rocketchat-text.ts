import { foldEmojiName } from '#contract/emoji'
import type { ContentPart } from '../../records.ts'
import { withEmoji } from '../common/emoji.ts'
import { rocketchatNames } from '../common/emoji-names/rocketchat-names.ts'
import { isText } from '../common/markdown.ts'
import { replaceParts, withMentions } from '../common/mentions.ts'
import { type Fields, textOf } from '../common/values.ts'

/** Keys by the names used in texts, lower case. */
export interface Named {
  people: ReadonlyMap<string, string>
  channels: ReadonlyMap<string, string>
  /** The names of the workspace's emoji, which replace standard ones. */
  emoji: { has(name: string): boolean }
}

const BOLD_OR_EMOJI = /(?<![\p{L}\p{N}*])\*(?![*\s])([^*\n]*[^*\s])\*(?![\p{L}\p{N}*])|(?<![\w:]):[a-z0-9_+-]+:/giu
/** A quoted message is a link without a label. */
const QUOTE = /\[\s*\]\([^()\s]*[?&]msg=(\w+)[^()\s]*\)/g
const CHANNEL = /(?<![\p{L}\p{N}#&/])#([\p{L}\p{N}][\p{L}\p{N}._-]*[\p{L}\p{N}])/gu

/** A message's text, followed by the texts of its attachments. */
export function rocketchatContent(msg: unknown, attachments: Fields[], named: Named): ContentPart[] {
  const described = attachments
    .filter((it) => !it['message_link'])
    .map((it) =>
      [it['pretext'], it['title_link'] ? it['description'] : it['title'], it['text']]
        .map(textOf)
        .filter(Boolean)
        .join('\n'),
    )
  const text = [textOf(msg), ...described].filter((piece) => piece.trim() !== '').join('\n\n')
  const markdown = replaceParts(text, BOLD_OR_EMOJI, ([all, bold]) => {
    if (bold !== undefined) return { text: `**${bold}**` }
    return { text: named.emoji.has(foldEmojiName(all.slice(1, -1))) ? all : withEmoji(all, rocketchatNames) }
  })
  const source = markdown.map((part) => ('text' in part ? part.text : '')).join('')
  return replaceParts(source, QUOTE, ([link, message = '']) => ({
    message,
    text: /\((.*)\)/.exec(link)?.[1] ?? '',
  })).flatMap((part) => (isText(part) ? withNames(part.text, named) : part))
}

const withNames = (text: string, { people, channels }: Named): ContentPart[] =>
  withMentions(text, (name) => people.get(name)).flatMap((part) =>
    isText(part)
      ? replaceParts(part.text, CHANNEL, ([, name = '']) => {
          const channel = channels.get(name.toLowerCase())
          return channel ? { channel, name } : undefined
        })
      : part,
  )
