/**
 * What notifies somebody in a conversation: every message; mentions, and replies in threads that they follow; or nothing.
 */
export const notificationLevels = ['everything', 'mentions', 'nothing'] as const
export type NotificationLevel = (typeof notificationLevels)[number]

/** The level of a workspace where nobody chose one. */
export const FIRST_LEVEL: NotificationLevel = 'mentions'

/**
 * A person's level for a conversation: what they chose for it, otherwise everything in direct messages, and their default in
 * channels.
 */
export const levelOf = (
  { kind, notificationLevel }: { kind: string; notificationLevel?: NotificationLevel | null | undefined },
  channelDefault: NotificationLevel,
): NotificationLevel => notificationLevel ?? (kind === 'direct' ? 'everything' : channelDefault)

/** What the rule depends on, for one message and one person. */
export interface NotificationFacts {
  /** Whether they wrote the message. */
  isOwn: boolean
  isMember: boolean
  /** Whether it is in a direct message. */
  isDirect: boolean
  isReply: boolean
  /** Whether they follow its thread. */
  followsThread: boolean
  /**
   * The most personal way in which it means them: by name, through a group, because it contains a keyword of theirs, or with everyone
   * (`@channel`, `@here`).
   */
  mention: 'name' | 'group' | 'keyword' | 'everyone' | null
  isMuted: boolean
  /** Their level for this conversation; see `levelOf`. */
  level: NotificationLevel
  /** Whether they don't want to be disturbed now. */
  isQuiet: boolean
}

/** Each effect includes those before it, but a message of a channel set to everything is not counted in a badge. */
export type NotificationEffect = 'nothing' | 'unread' | 'badge' | 'notify'

/** The reasons for a notification. */
export const notifyingRules = ['direct', 'mention', 'group', 'keyword', 'everyone', 'thread', 'everything'] as const
export type NotifyingRule = (typeof notifyingRules)[number]

/** What decided: a reason for a notification, or against one. */
export type NotificationRule =
  | NotifyingRule
  | 'own'
  | 'notMember'
  | 'notFollowed'
  | 'muted'
  | 'onlyMentions'
  | 'levelNothing'
  | 'quiet'

export type NotificationDecision =
  | { effect: 'notify'; rule: NotifyingRule }
  | { effect: 'nothing' | 'unread' | 'badge'; rule: Exclude<NotificationRule, NotifyingRule> }

/**
 * Decides what a message does for a person, and names the rule that decided. The page, push and mail all use it, so that they
 * agree.
 */
export function decideNotification(facts: NotificationFacts): NotificationDecision {
  const { isOwn, isMember, isDirect, isReply, followsThread, mention, isMuted, level, isQuiet } = facts
  if (isOwn) return { effect: 'nothing', rule: 'own' }
  if (!isMember) return { effect: 'nothing', rule: 'notMember' }
  // A mention by name makes its user follow the thread.
  if (isReply && !followsThread && mention !== 'name') return { effect: 'nothing', rule: 'notFollowed' }
  const counted = mention !== null || (isDirect && !isReply) ? 'badge' : 'unread'
  if (isMuted) return { effect: mention === null ? 'nothing' : 'badge', rule: 'muted' }
  if (level === 'nothing') return { effect: counted, rule: 'levelNothing' }
  const rule = reasonOf(facts)
  if (!rule) return { effect: counted, rule: 'onlyMentions' }
  return isQuiet ? { effect: counted, rule: 'quiet' } : { effect: 'notify', rule }
}

/** Why a message notifies, unless the level is nothing. */
function reasonOf({ isDirect, isReply, mention, level }: NotificationFacts): NotifyingRule | undefined {
  if (isDirect && !isReply && level === 'everything') return 'direct'
  if (mention !== null) return mention === 'name' ? 'mention' : mention
  if (isReply) return 'thread'
  return level === 'everything' ? 'everything' : undefined
}
