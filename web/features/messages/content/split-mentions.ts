import { limits } from '#contract/limits'
import { type Broadcast, type Mention, mentionedIn } from '#contract/mentions'

/** Whom and what a text can name. */
export interface Named {
  mentions: readonly Mention[]
  broadcast: Broadcast | null
  meId: string | undefined
  /** By name, in lower case. */
  channelIds: Readonly<Record<string, string>>
}

export type Word =
  | string
  | { kind: 'person'; text: string; isMe: boolean }
  | { kind: 'channel'; text: string; channelId: string }

/** Cuts a text, which holds no code, where it names somebody or a channel. */
export function wordsIn(text: string, named: Named): Word[] {
  if (!/[@#]/.test(text)) return [text]
  return peopleIn(text, named).flatMap((word) => (typeof word === 'string' ? channelsIn(word, named.channelIds) : word))
}

function peopleIn(text: string, named: Named): Word[] {
  if (named.mentions.length === 0 && !named.broadcast) return [text]
  const pieces = text.split(/(?=@)/)
  return pieces.flatMap((piece, index) => {
    // What the rule sees is one call after what stands before it, without the call before that.
    const before = pieces[index - 1] ?? ''
    const called = piece.startsWith('@') && callIn(before === '@' ? before : before.replace('@', ''), piece, named)
    if (!called) return [piece]
    return [{ kind: 'person', text: piece.slice(0, called.length), isMe: called.isMe }, piece.slice(called.length)]
  })
}

/** How much of a piece, which begins with `@`, calls somebody. */
function callIn(before: string, piece: string, { mentions, broadcast, meId }: Named) {
  const meant = mentionedIn(before + piece)
  if (meant.broadcast && broadcast) return { length: (/^@[a-z]+/i.exec(piece) ?? [''])[0].length, isMe: true }
  for (const name of meant.names.flat()) {
    const mention = mentions.find(({ username }) => username.toLowerCase() === name)
    if (mention) return { length: 1 + name.length, isMe: mention.userId === meId }
  }
  return undefined
}

/** Not within a word, an address or an entity; some scripts put no space between words. */
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

/** Where the longest name of a channel ends that stands at `start`; a name may hold spaces and stops. */
function endOfName(text: string, start: number, channelIds: Named['channelIds']) {
  for (let end = Math.min(text.length, start + limits.channelName); end > start; end--) {
    if (!Object.hasOwn(channelIds, text.slice(start, end).toLowerCase())) continue
    WORD_GOES_ON.lastIndex = end
    if (!WORD_GOES_ON.test(text)) return end
  }
  return undefined
}
