import type { Payload } from '#contract/events'
import type { Message } from '#contract/messages'
import type { Face } from '#contract/users'

/** One revision of a channel, from an event. */
export interface MessageUpdate {
  channelId: string
  rev: number
  /** The new or changed message. */
  message?: Message
  /** A change to a message that the event carries only in part. */
  patch?: { id: string; apply: (message: Message) => Message }
}

type Parent = Payload<'thread:message_created'>['parent']

/** The update of a new or changed message; for a reply, also of its parent. */
export function updateFromMessage({ parent, ...message }: Message & { parent?: Parent | undefined }): MessageUpdate {
  const { channelId, rev } = message
  const patch = parent && { id: parent.id, apply: (message: Message) => ({ ...message, ...parent }) }
  return { channelId, rev, message, ...(patch && { patch }) }
}

export function updateFromReaction(reaction: Payload<'reaction:added'> | Payload<'reaction:removed'>): MessageUpdate {
  const { channelId, rev, messageId, updatedAt, users, count } = reaction
  const emoji = 'reaction' in reaction ? reaction.reaction.emoji : reaction.emoji
  const apply = ({ reactions, reactionCounts, ...rest }: Message): Message => ({
    ...rest,
    updatedAt,
    reactions: count > 0 ? { ...reactions, [emoji]: users } : without(reactions, emoji),
    reactionCounts: count > 0 ? { ...reactionCounts, [emoji]: count } : without(reactionCounts, emoji),
  })
  return { channelId, rev, patch: { id: messageId, apply } }
}

/** A message after an update; the same object if the update is about another message, or not newer. */
export function applyUpdate(message: Message, { rev, message: updated, patch }: MessageUpdate): Message {
  if (rev <= message.rev) return message
  if (updated?.id === message.id) return updated
  return patch?.id === message.id ? { ...patch.apply(message), rev } : message
}

/** Gives a person the new name that an event brought. */
export const renamed =
  ({ id, username, name }: Face) =>
  (person: Face): Face => {
    if (person.id !== id || (person.username === username && person.name === name)) return person
    // The directory knows whether the new name is a namesake's.
    const { isNamesake: _, ...rest } = person
    return { ...rest, username, name }
  }

/** A message with people's current names; the same object if none changed. */
export function withNames(message: Message, nameOf: (person: Face) => Face): Message {
  const { user, lastRepliers, reactions, pin } = message
  const shown = [user, ...lastRepliers, ...Object.values(reactions).flat(), ...(pin ? [pin.by] : [])]
  if (shown.every((person) => nameOf(person) === person)) return message
  return {
    ...message,
    user: nameOf(user),
    lastRepliers: lastRepliers.map(nameOf),
    reactions: Object.fromEntries(Object.entries(reactions).map(([emoji, users]) => [emoji, users.map(nameOf)])),
    ...(pin && { pin: { ...pin, by: nameOf(pin.by) } }),
  }
}

const without = <T>(record: Record<string, T>, key: string) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== key))
