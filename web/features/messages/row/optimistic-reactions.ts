import type { Message } from '#contract/messages'
import { addReaction, listReactions, removeReaction } from '#contract/reactions'
import type { User } from '#contract/users'
import { call } from '../../../api-client/api.ts'
import { logFailure } from '../../../api-client/failure-text.ts'
import { sessionUserId } from '../../../session/session.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { keyedStore } from '../../../ui/keyed-store.ts'

/** Whether I want to have reacted, from the moment I said so until the message shows it. */
export interface Wish {
  isMine: boolean
  /** Revision of the message then. */
  rev: number
  /** The server has it, and whatever it told of it has come by now. */
  isSettled: boolean
}

export interface ShownReaction {
  emoji: string
  count: number
  /** The first of those who reacted. */
  users: readonly User[]
  isMine: boolean
}

const NONE: Readonly<Record<string, Wish>> = {}
/** By person and message: a browser may be used by several people. */
const wishes = keyedStore<Readonly<Record<string, Wish>>>()
const busy = new Set<string>()

/** Milliseconds that an event may come later than the answer. */
const LATE = 1000

const keyOf = (message: Message, me: string) => `${me} ${message.id}`

export const useWishes = (message: Message, me: string) => wishes.useAt(keyOf(message, me)) ?? NONE

/** Whether I reacted with an emoji; undefined where more people did than the message lists. */
export function isMine(message: Message, emoji: string, wish: Wish | undefined, me: string): boolean | undefined {
  const users = message.reactions[emoji] ?? []
  const isListed = users.some(({ id }) => id === me)
  const isKnown = isListed || users.length >= (message.reactionCounts[emoji] ?? 0)
  const isOver = wish?.isSettled && message.rev > wish.rev
  if (wish && !(isKnown && isOver)) return wish.isMine
  return isKnown ? isListed : undefined
}

/** The reactions of a message as I want them: what I wished lies over what it shows, and is never written into it. */
export function shownReactions(message: Message, mine: Readonly<Record<string, Wish>>, me: User): ShownReaction[] {
  const emojis = new Set([...Object.keys(message.reactionCounts), ...Object.keys(mine)])
  const shown = [...emojis].map((emoji) => {
    const listed = message.reactions[emoji] ?? []
    const count = message.reactionCounts[emoji] ?? 0
    const others = listed.filter(({ id }) => id !== me.id)
    const wantsMine = isMine(message, emoji, mine[emoji], me.id) ?? false
    const wasMine = others.length < listed.length
    // Whether I am among those who are counted but not listed is not known: then the number waits for the event.
    const change = count > listed.length && !wasMine ? 0 : Number(wantsMine) - Number(wasMine)
    return { emoji, count: count + change, users: wantsMine ? [me, ...others] : others, isMine: wantsMine }
  })
  return shown.filter(({ count }) => count > 0)
}

/** Reacts, or takes it back where I did; shown at once, and as it was where the server does not take it. */
export async function toggleReaction(message: Message, emoji: string, me: string) {
  const key = keyOf(message, me)
  const mine = () => isMine(message, emoji, wishes.get(key)?.[emoji], me)
  let was = mine()
  if (was === undefined) {
    try {
      // Where I reacted, I come first in the answer.
      const listed = await call(listReactions, { params: { messageId: message.id } })
      was = mine() ?? listed[emoji]?.[0]?.id === me
    } catch (error) {
      showToast(logFailure('Failed to load reactions', error))
      return
    }
  }
  wish(key, emoji, { isMine: !was, rev: message.rev, isSettled: false })
  await deliver(key, emoji, message.id, me)
}

/** One call at a time, until the server has what was wished last. */
async function deliver(key: string, emoji: string, messageId: string, me: string) {
  const id = `${key} ${emoji}`
  if (busy.has(id)) return
  busy.add(id)
  while (sessionUserId() === me) {
    const asked = wishes.get(key)?.[emoji]
    if (!asked) break
    const problem = await tell(messageId, emoji, asked.isMine)
    const now = wishes.get(key)?.[emoji]
    if (now?.isMine !== asked.isMine) continue
    if (problem) {
      wish(key, emoji)
      showToast(problem)
    } else {
      const settle = () => wishes.get(key)?.[emoji] === now && wish(key, emoji, { ...now, isSettled: true })
      setTimeout(settle, LATE)
    }
    break
  }
  busy.delete(id)
}

/** Answers what to say where it failed. */
async function tell(messageId: string, emoji: string, isMine: boolean): Promise<string | undefined> {
  try {
    if (isMine) await call(addReaction, { params: { messageId }, body: { emoji } })
    else await call(removeReaction, { params: { messageId, emoji } })
    return undefined
  } catch (error) {
    return logFailure(isMine ? 'Failed to add reaction' : 'Failed to remove reaction', error)
  }
}

function wish(key: string, emoji: string, to?: Wish) {
  const { [emoji]: _, ...rest } = wishes.get(key) ?? NONE
  wishes.set(key, to ? { ...rest, [emoji]: to } : rest)
}

/** Without the comma before the last one. Made when it is needed: a page that begins has no time for it. */
let list: Intl.ListFormat | undefined

/** 'You, Bob and 3 others reacted with 👍' */
export function whoReacted({ emoji, count, users }: ShownReaction, me: string): string {
  const named = count > 3 ? users.slice(0, 2) : users
  const names = named.map(({ id, name }) => (id === me ? 'You' : name))
  const others = count - named.length
  const all = others > 0 ? [...names, others === 1 ? '1 other' : `${others} others`] : names
  list ??= new Intl.ListFormat('en-GB')
  return `${list.format(all)} reacted with ${emoji}`
}
