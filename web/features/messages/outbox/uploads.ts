import { v4 as uuid } from 'uuid'
import { deleteFile } from '#contract/files'
import { limits } from '#contract/limits'
import { ApiError, call, queryClient } from '../../../api-client/api.ts'
import { upload as uploadFile } from '../../../api-client/upload-file.ts'
import { tooLarge, tooLargeText, uploadLimits } from '../../../api-client/upload-limits.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { type Attachment, attachmentsIn, controls, put } from './attachments.ts'
import { boxOf, type Target } from './pending-message.ts'

// How files come into the tray of a box. Lazy-loaded.

/** Uploads files into the tray of a box; says which are too large, and sends no byte of those. */
export async function upload(to: Target, files: File[]) {
  const box = boxOf(to)
  const room = limits.attachments - attachmentsIn(box).length
  if (files.length > room) showToast(`A message holds at most ${limits.attachments} files`)
  const added = files.slice(0, Math.max(0, room)).map((file): Attachment => {
    const { name, type, size } = file
    return { key: uuid(), name, type, size, state: 'uploading', share: 0, file }
  })
  // At once, so that no message goes without them.
  put(box, [...attachmentsIn(box), ...added])
  const most = await mostBytes()
  const large = tooLarge(files, most)
  const problem = tooLargeText(large, most)
  if (problem) showToast(problem)
  const isRefused = ({ file }: Attachment) => file !== undefined && large.includes(file)
  if (added.some(isRefused))
    put(
      box,
      attachmentsIn(box).filter((it) => !isRefused(it)),
    )
  const isThere = ({ key }: Attachment) => attachmentsIn(box).some((it) => it.key === key)
  for (const attachment of added.filter(isThere)) void send(to, attachment)
}

/** The bytes of the largest file; undefined where that cannot be known now, and the server says it. */
const mostBytes = () =>
  queryClient.fetchQuery({ ...uploadLimits, retry: false, networkMode: 'always' }).then(
    ({ size }) => size,
    () => undefined,
  )

export function retryAttachment(to: Target, attachment: Attachment) {
  const again = { state: 'uploading', share: 0 } as const
  change(boxOf(to), attachment.key, ({ problem: _, ...rest }) => ({ ...rest, ...again }))
  void send(to, attachment)
}

/** Takes a file out, wherever it is by now. */
export function detach(to: Target, { key, stored }: Attachment) {
  const box = boxOf(to)
  controls.get(key)?.abort()
  put(
    box,
    attachmentsIn(box).filter((it) => it.key !== key),
  )
  if (stored) takeBack(stored.id)
}

/** The server would forget it by itself, later. */
const takeBack = (fileId: string) =>
  void call(deleteFile, { params: { fileId } }).catch((error) => console.error('Failed to delete a file:', error))

async function send(to: Target, { key, file }: Attachment) {
  if (!file) return
  const box = boxOf(to)
  const control = new AbortController()
  controls.set(key, control)
  const { signal } = control
  const onProgress = (share: number) => change(box, key, (it) => ({ ...it, share }))
  try {
    const stored = await uploadFile(file, { channelId: to.channelId, forMessage: true, signal, onProgress })
    if (signal.aborted) takeBack(stored.id)
    else change(box, key, ({ file: _, ...rest }) => ({ ...rest, stored, state: 'ready', share: 1 }))
  } catch (error) {
    if (signal.aborted) return
    console.error('Failed to upload files. Please try again.', error)
    change(box, key, (it) => ({ ...it, state: 'failed', problem: problemOf(error) }))
  } finally {
    if (controls.get(key) === control) controls.delete(key)
  }
}

function problemOf(error: unknown) {
  if (error instanceof ApiError) return error.reason ?? error.message
  return 'The connection was lost'
}

function change(box: string, key: string, by: (attachment: Attachment) => Attachment) {
  put(
    box,
    attachmentsIn(box).map((it) => (it.key === key ? by(it) : it)),
  )
}
