import { limits } from '#contract/limits'
import { joinQuotes, splitQuotes } from '#contract/quotes'
import { type Attachment, attachmentsIn } from '../outbox/attachments.ts'
import { currentDrafts } from '../outbox/current-drafts.ts'
import { conversationKey, type Target } from '../outbox/pending-message.ts'
import { attach } from './attach.ts'

/** How many more files fit into a conversation's next message. */
export const filesLeftIn = (to: Target) => limits.attachments - attachmentsIn(conversationKey(to)).length

/**
 * Adds a text and files to a conversation's draft, after what is there, as if the user had typed and attached them. The text is
 * stored when this returns, and the uploads have begun.
 * @returns the attachments; undefined if this device has no room for the text, so that nothing was added
 */
export function addToDraft(to: Target, text: string, files: File[]): Attachment[] | undefined {
  const key = conversationKey(to)
  const drafts = currentDrafts()
  if (text !== '') {
    const before = drafts.get(key)
    drafts.set(key, { text: withTextAdded(before.text, text), to })
    drafts.save()
    if (!drafts.isStored(key)) {
      drafts.set(key, before)
      return undefined
    }
  }
  return files.length > 0 ? attach(to, files) : []
}

/** A draft with a text after what is typed there. */
export function withTextAdded(draft: string, text: string) {
  const { quotes, rest } = splitQuotes(draft)
  return joinQuotes(quotes, rest.trim() === '' ? text : `${rest.trimEnd()}\n${text}`)
}
