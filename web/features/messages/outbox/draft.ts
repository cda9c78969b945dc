import type { Target } from './pending-message.ts'

/** The content of a composer and, if the server refused it, why. */
export interface Draft {
  text: string
  refusal?: string
  /** Where it will be sent. */
  to?: Target
  /** For an edit: the message as it was when the edit began. */
  edit?: { content: string; editedAt: string | null }
  /** When it was last stored; Unix time in milliseconds. */
  at?: number
}

export const emptyDraft: Draft = { text: '' }

/** Whether a draft has anything unsent. */
export const isWritten = ({ text, edit }: Draft) => (edit ? text !== edit.content : text.trim() !== '')
