import { useEffect, useReducer, useSyncExternalStore } from 'react'
import { t } from '../../../i18n/text.ts'
import { onSignOut } from '../../../session/sign-out-tasks.ts'
import { isStorageWorking } from '../../../ui/device/local-storage.ts'
import {
  type Attachment,
  attachmentsIn,
  conversationsWithFiles,
  hasUnuploaded,
  setAttachments,
  uploadControllers,
  watchAttachments,
} from './attachments.ts'
import { currentDrafts, watchDrafts } from './current-drafts.ts'
import { isComposerOpen, watchComposers } from './open-conversations.ts'
import { editedMessage } from './open-edits.ts'
import { allPending, isPersisted, watchPending } from './outbox.ts'
import { discard } from './pending-acts.ts'

/** Something written or attached that was not sent. */
export interface UnsentItem {
  key: string
  kind: 'message' | 'reply' | 'edit' | 'failed'
  channelId: string
  threadId: string | null
  /** The message, for an edit. */
  messageId?: string
  /** The conversation's name, if it is known. */
  of: string | undefined
  /** When it was written, if that is known. */
  at?: string | undefined
  text: string
  files: readonly { id: string; name: string }[]
  /** Whether a composer on screen shows it. */
  isShown: boolean
  /** Discards it; returns a function that undoes that, unless an undo is offered already. */
  discard: () => (() => void) | undefined
}

/**
 * Everything unsent on this device: drafts, edits, attached files, and messages whose conversation is gone.
 * @param channelId only for this channel, which I can no longer read, including messages that are still queued for it
 */
export function useUnsent(channelId?: string): readonly UnsentItem[] {
  const [, refresh] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const ends = [watchDrafts, watchComposers, watchAttachments, watchPending].map((watch) => watch(refresh))
    // Something may have changed before the subscriptions.
    refresh()
    return () => {
      for (const end of ends) end()
    }
  }, [])
  const items = withNames([...unsentMessages(channelId), ...unsentDrafts(), ...unsentFiles()])
  return channelId === undefined ? items : items.filter((item) => item.channelId === channelId)
}

/** The ids of threads with an unsent reply. */
export const useWrittenThreads = (): ReadonlySet<string> =>
  // As a string, so that the snapshot is equal until they change.
  new Set(useSyncExternalStore(watchWritten, writtenThreads).split(' '))

const writtenThreads = () =>
  [...unsentDrafts(), ...unsentFiles()]
    .flatMap(({ kind, threadId }) => (kind === 'reply' ? (threadId ?? []) : []))
    .sort()
    .join(' ')

function watchWritten(onChange: () => void) {
  const ends = [watchDrafts, watchAttachments].map((watch) => watch(onChange))
  return () => {
    for (const end of ends) end()
  }
}

function unsentMessages(inChannel: string | undefined): UnsentItem[] {
  const messages = allPending().filter(({ channelId, isStranded }) => isStranded || channelId === inChannel)
  return messages.map((message) => {
    const { clientId, channelId, threadId, of, content, createdAt, files = [] } = message
    return {
      key: clientId,
      kind: 'failed',
      channelId,
      threadId,
      of,
      at: createdAt,
      text: content,
      files,
      isShown: false,
      discard: () => {
        discard(message)
        return undefined
      },
    }
  })
}

function unsentDrafts(): UnsentItem[] {
  const drafts = currentDrafts()
  return drafts.all().map(({ key, conversation, draft, at, isOwn }) => {
    const { channelId = conversation, threadId = null, of } = draft.to ?? {}
    const kind = threadId ? 'reply' : 'message'
    const attached = isOwn && !draft.edit ? attachmentsIn(conversation) : []
    return {
      key,
      kind: draft.edit ? 'edit' : kind,
      channelId,
      threadId,
      ...(draft.edit && { messageId: editedMessage(conversation) }),
      of,
      at: at === undefined ? undefined : new Date(at).toISOString(),
      text: draft.text,
      files: attached.map(({ key, name }) => ({ id: key, name })),
      isShown: isOwn && isComposerOpen(conversation),
      discard: () => {
        const restoreText = drafts.discard(key)
        const restoreFiles = attached.length > 0 ? removeFiles(conversation) : () => {}
        return () => {
          restoreText()
          restoreFiles()
        }
      },
    }
  })
}

/** Files in conversations without a text draft. */
function unsentFiles(): UnsentItem[] {
  const texts = new Set(
    currentDrafts()
      .all()
      .flatMap(({ conversation, isOwn }) => (isOwn ? conversation : [])),
  )
  return conversationsWithFiles().flatMap((conversation) => {
    const attached = attachmentsIn(conversation)
    const channelId = attached.find(({ stored }) => stored)?.stored?.channelId ?? conversation
    if (texts.has(conversation)) return []
    return {
      key: `files ${conversation}`,
      kind: channelId === conversation ? 'message' : 'reply',
      channelId,
      threadId: channelId === conversation ? null : conversation,
      of: undefined,
      text: '',
      files: attached.map(({ key, name }) => ({ id: key, name })),
      isShown: isComposerOpen(conversation),
      discard: () => removeFiles(conversation),
    }
  })
}

/** Removes all files; the server deletes unsent ones on its own. Returns a function that undoes it. */
function removeFiles(conversation: string) {
  const removed = attachmentsIn(conversation)
  for (const { key } of removed) uploadControllers.get(key)?.abort()
  setAttachments(conversation, [])
  return () => setAttachments(conversation, [...removed.map(stopped), ...attachmentsIn(conversation)])
}

/** An upload that was stopped by its removal can be retried. */
const stopped = (attachment: Attachment): Attachment =>
  attachment.state === 'uploading'
    ? { ...attachment, state: 'failed', problem: t('messages.outbox.interrupted') }
    : attachment

onSignOut({
  unsavedHere: () => (hasUnpersisted() ? t('messages.outbox.elsewhere') : undefined),
})

/** Whether closing this page would lose something unsent: a running upload, or all of it if nothing can be stored. */
export const hasUnpersisted = () =>
  hasUnuploaded() ||
  allPending().some((message) => !isPersisted(message)) ||
  (!isStorageWorking() && currentDrafts().all().length > 0)

/** Fills in missing names from other items of the same conversation. */
function withNames(items: UnsentItem[]): readonly UnsentItem[] {
  const names = new Map(items.flatMap(({ channelId, of }) => (of ? [[channelId, of]] : [])))
  return items.map((item) => ({ ...item, of: item.of ?? names.get(item.channelId) }))
}
