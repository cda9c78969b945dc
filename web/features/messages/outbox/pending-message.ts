import type { StoredFile } from '#contract/files'

/** A message that the server has not confirmed. */
export interface PendingMessage {
  /** Makes sending idempotent: the server stores a message once, however often it is sent. */
  clientId: string
  channelId: string
  /** The parent, for a reply. */
  threadId: string | null
  content: string
  /** For a reply: whether the channel is to show it as well. */
  alsoToChannel?: true
  /** Uploaded before it was sent. */
  files?: readonly StoredFile[]
  /** By this device's clock; unique per user, so it also orders their messages. */
  createdAt: string
  state: 'sending' | 'queued' | 'failed'
  /** Until when its author can take it back, in Unix time in milliseconds by this device's clock; 0 once that is over. */
  heldUntil?: number
  /** Why it is queued or failed, in a sentence. */
  reason?: string
  /** Its conversation is gone, so it has no row; the drafts page lists it. */
  isStranded?: true
  /** The conversation's name, such as '#launch', kept in case the conversation is deleted. */
  of?: string | undefined
}

export type Target = Pick<PendingMessage, 'channelId' | 'threadId' | 'of'>

/** Identifies a conversation, including in drafts. Each conversation sends independently of the others. */
export const conversationKey = ({ channelId, threadId }: Pick<Target, 'channelId' | 'threadId'>) =>
  threadId ?? channelId

/** The lock of sending from a conversation. */
export const outboxLock = (person: string, conversation: string) => `${OUTBOX_CHANNEL} ${person} ${conversation}`
/** The channel that tells the other tabs that a person's pending messages have changed. */
export const OUTBOX_CHANNEL = 'parley outbox'

/** The same order in all tabs, even for two messages of the same millisecond. */
export const inOrder = (a: PendingMessage, b: PendingMessage) => (orderOf(a) < orderOf(b) ? -1 : 1)
const orderOf = ({ createdAt, clientId }: PendingMessage) => createdAt + clientId

export const targetOf = ({ channelId, threadId, of }: Target): Target => ({ channelId, threadId, of })
