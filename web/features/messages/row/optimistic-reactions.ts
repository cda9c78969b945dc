import type { Message } from '#contract/messages'
import { addReaction, listReactions, removeReaction } from '#contract/reactions'
import type { User } from '#contract/users'
import { call } from '../../../api-client/api.ts'
import { logFailure } from '../../../api-client/failure-text.ts'
import { sessionUserId } from '../../../session/session.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { keyedStore } from '../../../ui/keyed-store.ts'

/** My choice about one emoji, shown until the message itself shows it. */
export interface OptimisticReaction {
  isMine: boolean
  /** The message's revision when I chose. */
  rev: number
  /** The server has stored it, and its event should have arrived. */
  isConfirmed: boolean
}

export interface ShownReaction {
  emoji: string
  count: number
  /** The first users who reacted. */
  users: readonly User[]
  isMine: boolean
}

const NONE: Readonly<Record<string, OptimisticReaction>> = {}
/** By user and message, because several users may share a browser. */
const optimistic = keyedStore<Readonly<Record<string, OptimisticReaction>>>()
const sending = new Set<string>()

/** How much later than the response the event may arrive. */
const EVENT_GRACE_MS = 1000

const keyOf = (message: Message, me: string) => `${me} ${message.id}`

export const useOptimisticReactions = (message: Message, me: string) => optimistic.useAt(keyOf(message, me)) ?? NONE

/** Whether I reacted with an emoji; undefined if it is unknown because the message does not list everyone. */
export function isMine(
  message: Message,
  emoji: string,
  choice: OptimisticReaction | undefined,
  me: string,
): boolean | undefined {
  const users = message.reactions[emoji] ?? []
  const isListed = users.some(({ id }) => id === me)
  const isKnown = isListed || users.length >= (message.reactionCounts[emoji] ?? 0)
  const isOver = choice?.isConfirmed && message.rev > choice.rev
  if (choice && !(isKnown && isOver)) return choice.isMine
  return isKnown ? isListed : undefined
}

/** The reactions of a message, including my optimistic ones; the cached message itself does not change. */
export function shownReactions(
  message: Message,
  choices: Readonly<Record<string, OptimisticReaction>>,
  me: User,
): ShownReaction[] {
  const emojis = new Set([...Object.keys(message.reactionCounts), ...Object.keys(choices)])
  const shown = [...emojis].map((emoji) => {
    const listed = message.reactions[emoji] ?? []
    const count = message.reactionCounts[emoji] ?? 0
    const others = listed.filter(({ id }) => id !== me.id)
    const isNowMine = isMine(message, emoji, choices[emoji], me.id) ?? false
    const wasMine = others.length < listed.length
    // If I may be counted but not listed, the count changes only with the event.
    const change = count > listed.length && !wasMine ? 0 : Number(isNowMine) - Number(wasMine)
    return { emoji, count: count + change, users: isNowMine ? [me, ...others] : others, isMine: isNowMine }
  })
  return shown.filter(({ count }) => count > 0)
}

/** Adds or removes my reaction; shows it at once, and reverts it if the server refuses. */
export async function toggleReaction(message: Message, emoji: string, me: string) {
  const key = keyOf(message, me)
  const mine = () => isMine(message, emoji, optimistic.get(key)?.[emoji], me)
  let wasMine = mine()
  if (wasMine === undefined) {
    try {
      // If I reacted, the response lists me first.
      const listed = await call(listReactions, { params: { messageId: message.id } })
      wasMine = mine() ?? listed[emoji]?.[0]?.id === me
    } catch (error) {
      showToast(logFailure('Failed to load reactions', error))
      return
    }
  }
  setOptimistic(key, emoji, { isMine: !wasMine, rev: message.rev, isConfirmed: false })
  await sendUntilConfirmed(key, emoji, message.id, me)
}

/** Sends one request at a time until the server has my latest choice. */
async function sendUntilConfirmed(key: string, emoji: string, messageId: string, me: string) {
  const id = `${key} ${emoji}`
  if (sending.has(id)) return
  sending.add(id)
  while (sessionUserId() === me) {
    const sent = optimistic.get(key)?.[emoji]
    if (!sent) break
    const problem = await sendReaction(messageId, emoji, sent.isMine)
    const now = optimistic.get(key)?.[emoji]
    if (now?.isMine !== sent.isMine) continue
    if (problem) {
      setOptimistic(key, emoji)
      showToast(problem)
    } else {
      const confirm = () =>
        optimistic.get(key)?.[emoji] === now && setOptimistic(key, emoji, { ...now, isConfirmed: true })
      setTimeout(confirm, EVENT_GRACE_MS)
    }
    break
  }
  sending.delete(id)
}

/** Returns an error text if it failed. */
async function sendReaction(messageId: string, emoji: string, isMine: boolean): Promise<string | undefined> {
  try {
    if (isMine) await call(addReaction, { params: { messageId }, body: { emoji } })
    else await call(removeReaction, { params: { messageId, emoji } })
    return undefined
  } catch (error) {
    return logFailure(isMine ? 'Failed to add reaction' : 'Failed to remove reaction', error)
  }
}

function setOptimistic(key: string, emoji: string, to?: OptimisticReaction) {
  const { [emoji]: _, ...rest } = optimistic.get(key) ?? NONE
  optimistic.set(key, to ? { ...rest, [emoji]: to } : rest)
}

/** British English, without the comma before the last name. Created on first use, because it is slow. */
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
