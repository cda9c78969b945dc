import { limits } from '#contract/limits'
import { type Broadcast, type Mention, mentionedIn } from '#contract/mentions'

/** The people and channels that a text can name. */
export interface Named {
  mentions: readonly Mention[]
  broadcast: Broadcast | null
  meId: string | undefined
  /** Ids by lower-case name. */
  channelIds: Readonly<Record<string, string>>
}

export type Word =
  | string
  | { kind: 'person'; text: string; isMe: boolean }
  | { kind: 'channel'; text: string; channelId: string }

/** Splits a text without code at its mentions and channel links. */
export function wordsIn(text: string, named: Named): Word[] {
  if (!/[@#]/.test(text)) return [text]
  return peopleIn(text, named).flatMap((word) => (typeof word === 'string' ? channelsIn(word, named.channelIds) : word))
}

function peopleIn(text: string, named: Named): Word[] {
  if (named.mentions.length === 0 && !named.broadcast) return [text]
  const pieces = text.split(/(?=@)/)
  return pieces.flatMap((piece, index) => {
    // The rule sees one mention and the text before it, without the previous mention.
    const before = pieces[index - 1] ?? ''
    const called = piece.startsWith('@') && callIn(before === '@' ? before : before.replace('@', ''), piece, named)
    if (!called) return [piece]
    return [{ kind: 'person', text: piece.slice(0, called.length), isMe: called.isMe }, piece.slice(called.length)]
  })
}

/** The length of the mention at the start of a text that begins with `@`. */
function callIn(before: string, piece: string, { mentions, broadcast, meId }: Named) {
  const meant = mentionedIn(before + piece)
  if (meant.broadcast && broadcast) return { length: (/^@[a-z]+/i.exec(piece) ?? [''])[0].length, isMe: true }
  for (const name of meant.names.flat()) {
    const mention = mentions.find(({ username }) => username.toLowerCase() === name)
    if (mention) return { length: 1 + name.length, isMe: mention.userId === meId }
  }
  return undefined
}

/** Not within a word, URL or HTML entity; some scripts put no spaces between words. */
const SIGN =
  /(?<![[\p{L}\p{M}\p{N}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}]]|[\#\&_\/])#(?=[^\s\#])/gv
const WORD_GOES_ON = /[._\-]*[[\p{L}\p{M}\p{N}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}]]/vy

function channelsIn(text: string, channelIds: Named['channelIds']): Word[] {
  const words: Word[] = []
  let done = 0
  for (const { index } of text.matchAll(SIGN)) {
    if (index < done) continue
    const end = endOfName(text, index + 1, channelIds)
    if (!end) continue
    const channelId = channelIds[text.slice(index + 1, end).toLowerCase()] as string
    words.push(text.slice(done, index), { kind: 'channel', text: text.slice(index, end), channelId })
    done = end
  }
  return [...words, text.slice(done)]
}

/** The end of the longest channel name at `start`; names may contain spaces and full stops. */
function endOfName(text: string, start: number, channelIds: Named['channelIds']) {
  for (let end = Math.min(text.length, start + limits.channelName); end > start; end--) {
    if (!Object.hasOwn(channelIds, text.slice(start, end).toLowerCase())) continue
    WORD_GOES_ON.lastIndex = end
    if (!WORD_GOES_ON.test(text)) return end
  }
  return undefined
}
