import type { StoredFile } from '#contract/files'

/** A message on its way, or one that could not go. */
export interface PendingMessage {
  /** Its key: the server stores it once, however often it is sent. */
  clientId: string
  channelId: string
  /** Of a reply: its parent. */
  threadId: string | null
  content: string
  /** What it brings, uploaded before. */
  files?: readonly StoredFile[]
  /** When it was written, by this device's clock; of one person no two are the same, so it is also their order. */
  createdAt: string
  state: 'sending' | 'queued' | 'failed'
  /** That it waits or failed, and why, in a sentence. */
  reason?: string
  /** The place it was written for is gone, and its row with it: it stands among the drafts. */
  isStranded?: true
  /** What its conversation is called, as '#launch', also when that is gone. */
  of?: string | undefined
}

/** Where a message goes. */
export type Target = Pick<PendingMessage, 'channelId' | 'threadId' | 'of'>

/** The box it was written in, as drafts.ts names it: each sends for itself. */
export const boxOf = ({ channelId, threadId }: Target) => threadId ?? channelId

export const targetOf = ({ channelId, threadId, of }: Target): Target => ({ channelId, threadId, of })
