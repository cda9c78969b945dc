import { useEffect, useReducer } from 'react'
import { onSignOut } from '../../../session/sign-out-tasks.ts'
import { isStorageWorking } from '../../../ui/device/local-storage.ts'
import {
  type Attachment,
  attachedBoxes,
  attachmentsIn,
  controls,
  isSomeHeldHere,
  put,
  watchAttachments,
} from './attachments.ts'
import { allDrafts, discardDraft, isBoxShown, restoreDraft, watchDrafts } from './drafts.ts'
import { discard } from './pending-acts.ts'
import { allPending, isKept, watchRows } from './pending-messages.ts'

/** Something written or attached that was not sent. */
export interface UnsentItem {
  key: string
  kind: 'message' | 'reply' | 'edit' | 'failed'
  channelId: string
  threadId: string | null
  /** What its conversation was called, where that is known. */
  of: string | undefined
  text: string
  files: readonly { id: string; name: string }[]
  /** Whether it stands in a box on screen. */
  isShown: boolean
  /** Takes it out; answers how to take that back, where that is not offered already. */
  discard: () => (() => void) | undefined
}

/**
 * All that was written on this device and not sent: drafts, edits, attached files, and messages whose place is gone.
 * @param channelId of this channel alone, which cannot be read: then also the messages that wait to be sent there
 */
export function useUnsent(channelId?: string): readonly UnsentItem[] {
  const [, look] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const ends = [watchDrafts(look), watchAttachments(look), watchRows(look)]
    // Something may have changed before this was heard.
    look()
    return () => {
      for (const end of ends) end()
    }
  }, [])
  const items = named([...unsentMessages(channelId), ...written(), ...filesAlone()])
  return channelId === undefined ? items : items.filter((item) => item.channelId === channelId)
}

function unsentMessages(inChannel: string | undefined): UnsentItem[] {
  const messages = allPending().filter(({ channelId, isStranded }) => isStranded || channelId === inChannel)
  return messages.map((message) => {
    const { clientId, channelId, threadId, of, content, files = [] } = message
    return {
      key: clientId,
      kind: 'failed',
      channelId,
      threadId,
      of,
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

function written(): UnsentItem[] {
  return allDrafts().map(({ key, box, draft, isOwn }) => {
    const { channelId = box, threadId = null, of } = draft.to ?? {}
    const attached = isOwn && !draft.edit ? attachmentsIn(box) : []
    return {
      key,
      kind: draft.edit ? 'edit' : threadId ? 'reply' : 'message',
      channelId,
      threadId,
      of,
      text: draft.text,
      files: attached.map(({ key, name }) => ({ id: key, name })),
      isShown: isOwn && isBoxShown(box),
      discard: () => {
        discardDraft(key)
        const takeBack = attached.length > 0 ? takeOutOf(box) : () => {}
        return () => {
          restoreDraft(key, draft)
          takeBack()
        }
      },
    }
  })
}

/** Files in boxes without a text. */
function filesAlone(): UnsentItem[] {
  const texts = new Set(allDrafts().flatMap(({ box, isOwn }) => (isOwn ? box : [])))
  return attachedBoxes().flatMap((box) => {
    const attached = attachmentsIn(box)
    const channelId = attached.find(({ stored }) => stored)?.stored?.channelId ?? box
    if (texts.has(box)) return []
    return {
      key: `files ${box}`,
      kind: channelId === box ? 'message' : 'reply',
      channelId,
      threadId: channelId === box ? null : box,
      of: undefined,
      text: '',
      files: attached.map(({ key, name }) => ({ id: key, name })),
      isShown: isBoxShown(box),
      discard: () => takeOutOf(box),
    }
  })
}

/** Takes out all files; the server forgets by itself those that go with no message. */
function takeOutOf(box: string) {
  const taken = attachmentsIn(box)
  for (const { key } of taken) controls.get(key)?.abort()
  put(box, [])
  return () => put(box, [...taken.map(stopped), ...attachmentsIn(box)])
}

/** What was on its way when it was taken out did not come any further: it can be sent again. */
const stopped = (it: Attachment): Attachment =>
  it.state === 'uploading' ? { ...it, state: 'failed', problem: 'The upload was stopped' } : it

onSignOut({
  unsavedHere: () => (isHeldHereAlone() ? 'Another tab holds something that is nowhere else.' : undefined),
})

/** Whether something unsent is nowhere but in this page: a file on its way, or all of it where nothing can be kept. */
export const isHeldHereAlone = () =>
  isSomeHeldHere() ||
  allPending().some((message) => !isKept(message)) ||
  (!isStorageWorking() && allDrafts().length > 0)

/** What one item knows of its conversation's name, the others know too. */
function named(items: UnsentItem[]): readonly UnsentItem[] {
  const names = new Map(items.flatMap(({ channelId, of }) => (of ? [[channelId, of]] : [])))
  return items.map((item) => ({ ...item, of: item.of ?? names.get(item.channelId) }))
}
