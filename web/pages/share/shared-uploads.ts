import { attach } from '../../features/messages/composer/attach.ts'
import { type Attachment, attachmentsIn, watchAttachments } from '../../features/messages/outbox/attachments.ts'
import { conversationKey, type Target } from '../../features/messages/outbox/pending-message.ts'
import { tabLocks } from '../../ui/device/local-storage.ts'
import { markChosen, removeShare, removeSharedFile, unfinishedShares } from '../../ui/device/shares.ts'

const LOCK_PREFIX = 'parley share '

/** Files of a share in a conversation's tray, by their numbers in the share. */
type Attached = ReadonlyMap<number, Attachment>

/** Keeps the files of a share on this device until they are uploaded, or removed from the tray. */
export function keepUntilUploaded(id: string, to: Target, files: Attached) {
  withLock(id, async () => {
    if (files.size > 0) await markChosen(id, to)
    await untilUploaded(id, to, files)
    await removeShare(id)
  }).catch((error) => console.error('Failed to keep shared files:', error))
}

/** Uploads what was not uploaded when its page was closed. */
export async function resumeUploads(person: string) {
  for (const { id, place, files } of await unfinishedShares(person)) {
    const to = place as Target
    void withLock(id, async () => {
      const added = attach(to, [...files.values()])
      const numbers = [...files.keys()]
      await untilUploaded(id, to, new Map(added.map((attachment, nth) => [numbers[nth] as number, attachment])))
      if (added.length === files.size) await removeShare(id)
    }).catch((error) => console.error('Failed to upload shared files:', error))
  }
}

function untilUploaded(id: string, to: Target, files: Attached) {
  const waiting = new Map(files)
  return new Promise<void>((resolve) => {
    const stop = watchAttachments(check)
    check()
    function check() {
      const tray = attachmentsIn(conversationKey(to))
      for (const [number, { key }] of waiting) {
        const attachment = tray.find((it) => it.key === key)
        if (attachment && !attachment.stored) continue
        waiting.delete(number)
        removeSharedFile(id, number).catch((error) => console.warn('Failed to remove a shared file:', error))
      }
      if (waiting.size > 0) return
      stop()
      resolve()
    }
  })
}

/** Acts unless another tab does this for the same share. Without locks, tabs may upload a file twice. */
async function withLock(id: string, act: () => Promise<void>) {
  const locks = tabLocks()
  if (!locks) return act()
  return locks.request(LOCK_PREFIX + id, { ifAvailable: true }, async (lock) => {
    if (lock) await act()
  })
}
