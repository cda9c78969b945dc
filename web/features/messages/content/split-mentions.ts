import type { CustomEmoji } from '#contract/custom-emoji'
import { CUSTOM_EMOJI, foldEmojiName } from '#contract/emoji'
import { limits } from '#contract/limits'
import { type Broadcast, type Mention, mentionedIn } from '#contract/mentions'
import { meansMe, myKeywordsIn } from '../../../cache/means-me.ts'

/** The users, channels and emoji that a text may name. */
export interface Mentionable {
  mentions: readonly Mention[]
  broadcast: Broadcast | null
  meId: string | undefined
  /** Ids by lower-case name. */
  channelIds: Readonly<Record<string, string>>
  /** Those of the workspace, by name. */
  emoji: ReadonlyMap<string, CustomEmoji>
}

type Word =
  | string
  | { kind: 'person'; text: string; isMe: boolean; userId?: string | undefined }
  | { kind: 'channel'; text: string; channelId: string }
  | { kind: 'keyword'; text: string }
  | { kind: 'emoji'; text: string; emoji: CustomEmoji }

/** Splits a text without code at its mentions, channel links, emoji of the workspace, and my keywords. */
export function splitMentions(text: string, mentionable: Mentionable): Word[] {
  return splitNames(text, mentionable).flatMap((word) => (typeof word === 'string' ? splitKeywords(word) : word))
}

function splitKeywords(text: string): Word[] {
  const words: Word[] = []
  let last = 0
  for (const { start, end } of myKeywordsIn(text)) {
    if (start < last) continue
    words.push(text.slice(last, start), { kind: 'keyword', text: text.slice(start, end) })
    last = end
  }
  return last === 0 ? [text] : [...words, text.slice(last)].filter((word) => word !== '')
}

function splitNames(text: string, mentionable: Mentionable): Word[] {
  const named = /[@#]/.test(text)
    ? splitPeople(text, mentionable).flatMap((word) =>
        typeof word === 'string' ? splitChannels(word, mentionable.channelIds) : word,
      )
    : [text]
  if (mentionable.emoji.size === 0 || !text.includes(':')) return named
  return named.flatMap((word) => (typeof word === 'string' ? splitEmoji(word, mentionable.emoji) : word))
}

function splitEmoji(text: string, all: Mentionable['emoji']): Word[] {
  const words: Word[] = []
  let end = 0
  /** The end of the last one, which may have been removed from the workspace. */
  let lastEnd = 0
  const pattern = new RegExp(CUSTOM_EMOJI)
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const { index } = found
    const [sign, name = ''] = found
    const emoji = all.get(foldEmojiName(name))
    // In 'std::ship::sail' it begins with the second of two colons, but another emoji may stand before it.
    const isInside = text[index - 1] === ':' && index !== lastEnd
    if (!isInside) lastEnd = index + sign.length
    if (!emoji || isInside) {
      pattern.lastIndex = index + 1
      continue
    }
    words.push(text.slice(end, index), { kind: 'emoji', text: sign, emoji })
    end = index + sign.length
  }
  return [...words, text.slice(end)].filter((word) => word !== '')
}

function splitPeople(text: string, mentionable: Mentionable): Word[] {
  if (mentionable.mentions.length === 0 && !mentionable.broadcast) return [text]
  const pieces = text.split(/(?=@)/)
  return pieces.flatMap((piece, index) => {
    // `mentionedIn` gets one mention and the text before it, without the previous mention.
    const before = pieces[index - 1] ?? ''
    const mention =
      piece.startsWith('@') && mentionAt(before === '@' ? before : before.replace('@', ''), piece, mentionable)
    if (!mention) return [piece]
    const { length, ...rest } = mention
    return [{ kind: 'person', text: piece.slice(0, length), ...rest }, piece.slice(length)]
  })
}

/** The length of the mention at the start of `piece`, and the mentioned user unless it is a group or everyone. */
function mentionAt(before: string, piece: string, { mentions, broadcast, meId }: Mentionable) {
  const mentioned = mentionedIn(before + piece)
  if (mentioned.broadcast && broadcast) return { length: (/^@[a-z]+/i.exec(piece) ?? [''])[0].length, isMe: true }
  for (const name of mentioned.names.flat()) {
    const mention = mentions.find(({ username }) => username.toLowerCase() === name)
    if (!mention) continue
    // A group has no profile.
    const userId = mention.isGroup ? undefined : mention.userId
    return { length: 1 + name.length, isMe: meansMe(mention, meId), userId }
  }
  return undefined
}

/** Not within a word, URL or HTML entity; some scripts put no spaces between words. */
const CHANNEL_SIGN =
  /(?<![[\p{L}\p{M}\p{N}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}]]|[\#\&_\/])#(?=[^\s\#])/gv
const WORD_CONTINUES = /[._\-]*[[\p{L}\p{M}\p{N}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}]]/vy

function splitChannels(text: string, channelIds: Mentionable['channelIds']): Word[] {
  const words: Word[] = []
  let end = 0
  for (const { index } of text.matchAll(CHANNEL_SIGN)) {
    if (index < end) continue
    const nameEnd = endOfName(text, index + 1, channelIds)
    if (!nameEnd) continue
    const channelId = channelIds[text.slice(index + 1, nameEnd).toLowerCase()] as string
    words.push(text.slice(end, index), { kind: 'channel', text: text.slice(index, nameEnd), channelId })
    end = nameEnd
  }
  return [...words, text.slice(end)]
}

/** The end of the longest channel name at `start`; names may contain spaces and full stops. */
function endOfName(text: string, start: number, channelIds: Mentionable['channelIds']) {
  for (let end = Math.min(text.length, start + limits.channelName); end > start; end--) {
    if (!Object.hasOwn(channelIds, text.slice(start, end).toLowerCase())) continue
    WORD_CONTINUES.lastIndex = end
    if (!WORD_CONTINUES.test(text)) return end
  }
  return undefined
}
