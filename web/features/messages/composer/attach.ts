import { showToast } from '../../../ui/feedback/toast.tsx'
import type { Target } from '../outbox/pending-message.ts'

/** Adds files to a conversation's tray and uploads them. Others see them once the message is sent. */
export const attach = (to: Target, files: File[]) =>
  void import('../outbox/uploads.ts').then(
    ({ upload }) => upload(to, files),
    (error) => {
      console.error('Failed to upload files. Please try again.', error)
      showToast("Couldn't attach the files. Check your connection.")
    },
  )
