import type { Message } from '#contract/messages'
import type { User } from '#contract/users'
import { formatList } from '../../../i18n/format.ts'
import { t } from '../../../i18n/text.ts'
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
export const optimistic = keyedStore<Readonly<Record<string, OptimisticReaction>>>()

export const keyOf = (message: Message, me: string) => `${me} ${message.id}`

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

/** 'You, Bob and 3 others reacted with 👍' */
export function whoReacted({ emoji, count, users }: ShownReaction, me: string): string {
  const named = count > 3 ? users.slice(0, 2) : users
  const names = named.map(({ id, name }) => (id === me ? t('messages.reactions.you') : name))
  const others = count - named.length
  const people = formatList(others > 0 ? [...names, t('messages.reactions.others', { count: others })] : names)
  if (!named.some(({ id }) => id === me)) return t('messages.reactions.byOthers', { count, people, emoji })
  return count === 1 ? t('messages.reactions.byMe', { emoji }) : t('messages.reactions.byMeToo', { people, emoji })
}
