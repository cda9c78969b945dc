import { v4 as uuid } from 'uuid'
import { deleteFile, type StoredFile } from '#contract/files'
import { limits } from '#contract/limits'
import { ApiError, call } from '../../api.ts'
import { keep, keysFrom, recallJson } from '../../ui/device-memory.ts'
import { showToast } from '../../ui/toast.tsx'
import { keyedStore } from './keyed-store.ts'
import { boxOf, type Target } from './pending-message.ts'

/** A file that goes with the next message of a box: on its way to the server, there, or not. */
export interface Attachment {
  key: string
  name: string
  type: string
  size: number
  state: 'uploading' | 'ready' | 'failed'
  /** How much of it is there, from 0 to 1. */
  share: number
  /** Why it failed, in a sentence. */
  problem?: string
  /** What the browser holds of it, until the page goes. */
  file?: File
  /** What the server holds of it. */
  stored?: StoredFile
}

const none: readonly Attachment[] = []
const trays = keyedStore<readonly Attachment[]>()
const controls = new Map<string, AbortController>()

/** Whose they are. What is on the server is remembered on this device, so that it is still there after a reload. */
let owner: string | undefined
const keyOf = (box: string) => `parley.attached.${owner}.${box}`

export const useAttachments = (box: string) => trays.useAt(box) ?? none

export const attachmentsIn = (box: string) => trays.get(box) ?? none

/** Shows what a person attached on this device and did not send. */
export function openAttachments(userId: string) {
  if (owner === userId) return
  forget()
  owner = userId
  for (const key of keysFrom(keyOf(''))) {
    const kept = recallJson(key)
    if (Array.isArray(kept)) trays.set(key.slice(keyOf('').length), (kept as StoredFile[]).map(readyOf))
  }
}

/** Takes what the person attached from this device. The server forgets by itself what went with no message. */
export function dropAttachments() {
  if (owner) for (const key of keysFrom(keyOf(''))) keep(key)
  forget()
}

function forget() {
  for (const control of controls.values()) control.abort()
  controls.clear()
  for (const box of trays.keys()) trays.set(box)
  owner = undefined
}

/** Puts files into the tray of a box, and uploads them; nobody sees them before the message goes. */
export function attach(to: Target, files: File[]) {
  const box = boxOf(to)
  const room = limits.attachments - attachmentsIn(box).length
  if (files.length > room) showToast(`A message holds at most ${limits.attachments} files`)
  const added = files.slice(0, Math.max(0, room)).map((file): Attachment => {
    const { name, type, size } = file
    return { key: uuid(), name, type, size, state: 'uploading', share: 0, file }
  })
  put(box, [...attachmentsIn(box), ...added])
  for (const attachment of added) void send(to, attachment)
}

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

/** Takes out what is ready, to go with a message. */
export function takeReady(box: string): StoredFile[] {
  const stored = attachmentsIn(box).flatMap((it) => it.stored ?? [])
  put(box, none)
  return stored
}

/** Puts back what went with a message that did not go. */
export const giveBack = (box: string, files: readonly StoredFile[]) =>
  put(box, [...files.map(readyOf), ...attachmentsIn(box)])

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
    const { upload } = await import('../../upload.ts')
    const stored = await upload(file, { channelId: to.channelId, forMessage: true, signal, onProgress })
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

const readyOf = (stored: StoredFile): Attachment => {
  const { id, name, type, size } = stored
  return { key: id, name, type, size, state: 'ready', share: 1, stored }
}

function change(box: string, key: string, by: (attachment: Attachment) => Attachment) {
  put(
    box,
    attachmentsIn(box).map((it) => (it.key === key ? by(it) : it)),
  )
}

function put(box: string, attachments: readonly Attachment[]) {
  trays.set(box, attachments.length > 0 ? attachments : undefined)
  const stored = attachments.flatMap((it) => it.stored ?? [])
  if (owner) keep(keyOf(box), stored.length > 0 ? JSON.stringify(stored) : undefined)
}
