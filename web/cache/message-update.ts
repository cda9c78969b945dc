import type { Payload } from '#contract/events'
import type { Message } from '#contract/messages'
import type { User } from '#contract/users'

/** What an event tells of one revision of a channel. */
export interface Told {
  channelId: string
  rev: number
  /** A message that is new or changed, as it is now. */
  message?: Message
  /** A message of which only what changed is told. */
  patch?: { id: string; by: (message: Message) => Message }
}

type Parent = Payload<'thread:message_created'>['parent']

/** A message and, where it is a reply that came or went, what its parent shows now. */
export function toldOfMessage({ parent, ...message }: Message & { parent?: Parent | undefined }): Told {
  const { channelId, rev } = message
  const patch = parent && { id: parent.id, by: (held: Message) => ({ ...held, ...parent }) }
  return { channelId, rev, message, ...(patch && { patch }) }
}

export function toldOfReaction(told: Payload<'reaction:added'> | Payload<'reaction:removed'>): Told {
  const { channelId, rev, messageId, updatedAt, users, count } = told
  const emoji = 'reaction' in told ? told.reaction.emoji : told.emoji
  const by = ({ reactions, reactionCounts, ...rest }: Message): Message => ({
    ...rest,
    updatedAt,
    reactions: count > 0 ? { ...reactions, [emoji]: users } : without(reactions, emoji),
    reactionCounts: count > 0 ? { ...reactionCounts, [emoji]: count } : without(reactionCounts, emoji),
  })
  return { channelId, rev, patch: { id: messageId, by } }
}

/** A message as it is after what was told; itself where it was another one, or known already. */
export function after(message: Message, { rev, message: whole, patch }: Told): Message {
  if (rev <= message.rev) return message
  if (whole?.id === message.id) return whole
  return patch?.id === message.id ? { ...patch.by(message), rev } : message
}

/** A message with the names that people have now, wherever it shows them; itself where they are the same. */
export function withNames(message: Message, nameOf: (person: User) => User): Message {
  const { user, lastRepliers, reactions } = message
  const shown = [user, ...lastRepliers, ...Object.values(reactions).flat()]
  if (shown.every((person) => nameOf(person) === person)) return message
  return {
    ...message,
    user: nameOf(user),
    lastRepliers: lastRepliers.map(nameOf),
    reactions: Object.fromEntries(Object.entries(reactions).map(([emoji, users]) => [emoji, users.map(nameOf)])),
  }
}

const without = <T>(record: Record<string, T>, key: string) =>
  Object.fromEntries(Object.entries(record).filter(([it]) => it !== key))
