import { v4 as uuid } from 'uuid'
import type { StoredFile } from '#contract/files'
import { limits } from '#contract/limits'
import { keysWithPrefix, readJson, saveItem } from '../../../ui/device/local-storage.ts'
import { keyedStore } from '../../../ui/keyed-store.ts'

/** A file that will be sent with the next message of a conversation. */
export interface Attachment {
  key: string
  name: string
  type: string
  size: number
  state: 'uploading' | 'ready' | 'failed'
  /** Uploaded share, from 0 to 1. */
  share: number
  /** Why it failed, in a sentence. */
  problem?: string
  /** The browser's file, until the page is closed. */
  file?: File
  /** The server's file. */
  stored?: StoredFile
}

const none: readonly Attachment[] = []
const trays = keyedStore<readonly Attachment[]>()
/** Aborts running uploads (uploads.ts), by the attachment's key. */
export const uploadControllers = new Map<string, AbortController>()

/** The user whose attachments these are. Uploaded ones are stored on this device, so that they survive a reload. */
let owner: string | undefined
const storageKey = (conversation: string) => `parley.attached.${owner}.${conversation}`

export const useAttachments = (conversation: string) => trays.useAt(conversation) ?? none

export const attachmentsIn = (conversation: string) => trays.get(conversation) ?? none

/** Loads the files that a user attached on this device and did not send. */
export function openAttachments(userId: string) {
  if (owner === userId) return
  forgetAttachments()
  owner = userId
  for (const key of keysWithPrefix(storageKey(''))) {
    const files = readJson(key)
    if (Array.isArray(files)) trays.set(key.slice(storageKey('').length), (files as StoredFile[]).map(uploaded))
  }
  globalThis.addEventListener?.('storage', onStorage)
}

/** Another tab attached, removed or sent a file. A sent file cannot be sent again from here. */
function onStorage({ key, oldValue, newValue }: StorageEvent) {
  if (!owner || !key?.startsWith(storageKey(''))) return
  const conversation = key.slice(storageKey('').length)
  const [before, after] = [filesFrom(oldValue), filesFrom(newValue)]
  const isGone = ({ stored }: Attachment) => stored && has(before, stored.id) && !has(after, stored.id)
  const left = attachmentsIn(conversation).filter((attachment) => !isGone(attachment))
  const added = after.filter(({ id }) => !has(before, id) && !left.some(({ stored }) => stored?.id === id))
  show(conversation, [...left, ...added.map(uploaded)])
}

const has = (files: readonly StoredFile[], id: string) => files.some((file) => file.id === id)

const filesFrom = (json: string | null): StoredFile[] => {
  const files = JSON.parse(json ?? '[]')
  return Array.isArray(files) ? files : []
}

/** Whether closing the page would lose files that are not uploaded yet. */
export const hasUnuploaded = () =>
  trays.keys().some((conversation) => attachmentsIn(conversation).some(({ stored }) => !stored))

export const conversationsWithFiles = trays.keys
export const watchAttachments = trays.watch

/** Deletes the user's attachments from this device. The server deletes unsent files on its own. */
export function dropAttachments() {
  if (owner) for (const key of keysWithPrefix(storageKey(''))) saveItem(key)
  forgetAttachments()
}

function forgetAttachments() {
  for (const control of uploadControllers.values()) control.abort()
  uploadControllers.clear()
  for (const conversation of trays.keys()) trays.set(conversation)
  owner = undefined
}

/** Removes the uploaded files from the tray and returns them, to be sent with a message. */
export function takeUploaded(conversation: string): StoredFile[] {
  const stored = attachmentsIn(conversation).flatMap((attachment) => attachment.stored ?? [])
  setAttachments(conversation, none)
  return stored
}

/** Puts back the files of a message that was not sent. */
export const restoreAttachments = (conversation: string, files: readonly StoredFile[]) =>
  setAttachments(conversation, [...files.map(uploaded), ...attachmentsIn(conversation)])

const uploaded = (stored: StoredFile): Attachment => {
  const { id, name, type, size } = stored
  return { key: id, name, type, size, state: 'ready', share: 1, stored }
}

/** Adds files to a conversation's tray, up to the limit per message. uploads.ts uploads them. */
export function addAttachments(conversation: string, files: readonly File[]): Attachment[] {
  const before = attachmentsIn(conversation)
  const added = files.slice(0, Math.max(0, limits.attachments - before.length)).map((file): Attachment => {
    const { name, type, size } = file
    return { key: uuid(), name, type, size, state: 'uploading', share: 0, file }
  })
  setAttachments(conversation, [...before, ...added])
  return added
}

export function setAttachments(conversation: string, attachments: readonly Attachment[]) {
  const storedIn = (all: readonly Attachment[]) => all.flatMap((attachment) => attachment.stored ?? [])
  const [before, after] = [storedIn(attachmentsIn(conversation)), storedIn(attachments)]
  show(conversation, attachments)
  if (!owner) return
  // Stores only this tab's changes, so that files attached in another tab stay.
  const files = readJson(storageKey(conversation))
  const others = (Array.isArray(files) ? (files as StoredFile[]) : []).filter(({ id }) => !has(before, id))
  const all = [...after, ...others.filter(({ id }) => !has(after, id))]
  saveItem(storageKey(conversation), all.length > 0 ? JSON.stringify(all) : undefined)
}

const show = (conversation: string, attachments: readonly Attachment[]) =>
  trays.set(conversation, attachments.length > 0 ? attachments : undefined)
