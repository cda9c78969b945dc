import { deleteFile } from '#contract/files'
import { limits } from '#contract/limits'
import { ApiError, call, queryClient } from '../../../api-client/api.ts'
import { reasonText } from '../../../api-client/failure-text.ts'
import { sendFile } from '../../../api-client/upload-file.ts'
import { tooLarge, tooLargeText, uploadLimits } from '../../../api-client/upload-limits.ts'
import { t } from '../../../i18n/text.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { type Attachment, attachmentsIn, setAttachments, uploadControllers } from './attachments.ts'
import { conversationKey, type Target } from './pending-message.ts'

// Lazy-loaded.

/**
 * Uploads the files that `attach` has put into a conversation's tray; shows a toast for those that are too large, without
 * uploading them.
 * @param files all chosen files, including those that didn't fit into the tray
 */
export async function upload(to: Target, files: File[], added: Attachment[]) {
  const conversation = conversationKey(to)
  if (files.length > added.length) showToast(t('messages.composer.maxFiles', { count: limits.attachments }))
  const maxBytes = await maxFileBytes()
  const large = tooLarge(files, maxBytes)
  const problem = tooLargeText(large, maxBytes)
  if (problem) showToast(problem)
  const isRefused = ({ file }: Attachment) => file !== undefined && large.includes(file)
  if (added.some(isRefused))
    setAttachments(
      conversation,
      attachmentsIn(conversation).filter((attachment) => !isRefused(attachment)),
    )
  const isAttached = ({ key }: Attachment) => attachmentsIn(conversation).some((attachment) => attachment.key === key)
  for (const attachment of added.filter(isAttached)) void send(to, attachment)
}

/** The size limit in bytes; undefined if it cannot be fetched now, because the server enforces it anyway. */
const maxFileBytes = () =>
  queryClient.fetchQuery({ ...uploadLimits, retry: false, networkMode: 'always' }).then(
    ({ size }) => size,
    () => undefined,
  )

export function retryAttachment(to: Target, attachment: Attachment) {
  const again = { state: 'uploading', share: 0 } as const
  change(conversationKey(to), attachment.key, ({ problem: _, ...rest }) => ({ ...rest, ...again }))
  void send(to, attachment)
}

/** Removes a file in any state. */
export function removeAttachment(to: Target, { key, stored }: Attachment) {
  const conversation = conversationKey(to)
  uploadControllers.get(key)?.abort()
  setAttachments(
    conversation,
    attachmentsIn(conversation).filter((attachment) => attachment.key !== key),
  )
  if (stored) deleteUpload(stored.id)
}

/** The server would delete it eventually. */
const deleteUpload = (fileId: string) =>
  void call(deleteFile, { params: { fileId } }).catch((error) => console.error('Failed to delete a file:', error))

async function send(to: Target, { key, file }: Attachment) {
  if (!file) return
  const conversation = conversationKey(to)
  const control = new AbortController()
  uploadControllers.set(key, control)
  const { signal } = control
  const onProgress = (share: number) => change(conversation, key, (attachment) => ({ ...attachment, share }))
  try {
    const stored = await sendFile(file, { channelId: to.channelId, forMessage: true, signal, onProgress })
    if (signal.aborted) deleteUpload(stored.id)
    else change(conversation, key, ({ file: _, ...rest }) => ({ ...rest, stored, state: 'ready', share: 1 }))
  } catch (error) {
    if (signal.aborted) return
    console.error('Failed to upload files. Please try again.', error)
    change(conversation, key, (attachment) => ({ ...attachment, state: 'failed', problem: problemOf(error) }))
  } finally {
    if (uploadControllers.get(key) === control) uploadControllers.delete(key)
  }
}

function problemOf(error: unknown) {
  // A proxy may reject it without a reason.
  if (error instanceof ApiError) return reasonText(error) ?? t('failures.upload')
  return t('messages.outbox.connectionLost')
}

function change(conversation: string, key: string, update: (attachment: Attachment) => Attachment) {
  setAttachments(
    conversation,
    attachmentsIn(conversation).map((attachment) => (attachment.key === key ? update(attachment) : attachment)),
  )
}
