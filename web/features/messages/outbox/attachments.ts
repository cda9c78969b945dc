import type { StoredFile } from '#contract/files'
import { keysWithPrefix, readJson, saveItem } from '../../../ui/device/local-storage.ts'
import { keyedStore } from '../../../ui/keyed-store.ts'

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
/** How to call off each upload that is under way; see uploads.ts. */
export const controls = new Map<string, AbortController>()

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
  for (const key of keysWithPrefix(keyOf(''))) {
    const kept = readJson(key)
    if (Array.isArray(kept)) trays.set(key.slice(keyOf('').length), (kept as StoredFile[]).map(readyOf))
  }
  globalThis.addEventListener?.('storage', onStorage)
}

/** Another tab attached a file, took one out, or sent it: then it can go from here no more. */
function onStorage({ key, oldValue, newValue }: StorageEvent) {
  if (!owner || !key?.startsWith(keyOf(''))) return
  const box = key.slice(keyOf('').length)
  const [before, after] = [filesFrom(oldValue), filesFrom(newValue)]
  const isGone = ({ stored }: Attachment) => stored && has(before, stored.id) && !has(after, stored.id)
  const left = attachmentsIn(box).filter((it) => !isGone(it))
  const added = after.filter(({ id }) => !has(before, id) && !left.some(({ stored }) => stored?.id === id))
  show(box, [...left, ...added.map(readyOf)])
}

const has = (files: readonly StoredFile[], id: string) => files.some((file) => file.id === id)

const filesFrom = (kept: string | null): StoredFile[] => {
  const files = JSON.parse(kept ?? '[]')
  return Array.isArray(files) ? files : []
}

/** Whether the browser alone holds some of them: they would be lost with the page. */
export const isSomeHeldHere = () => trays.keys().some((box) => attachmentsIn(box).some(({ stored }) => !stored))

/** The boxes with files, for whoever shows all of them. */
export const attachedBoxes = trays.keys
export const watchAttachments = trays.watch

/** Takes what the person attached from this device. The server forgets by itself what went with no message. */
export function dropAttachments() {
  if (owner) for (const key of keysWithPrefix(keyOf(''))) saveItem(key)
  forget()
}

function forget() {
  for (const control of controls.values()) control.abort()
  controls.clear()
  for (const box of trays.keys()) trays.set(box)
  owner = undefined
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

const readyOf = (stored: StoredFile): Attachment => {
  const { id, name, type, size } = stored
  return { key: id, name, type, size, state: 'ready', share: 1, stored }
}

export function put(box: string, attachments: readonly Attachment[]) {
  const storedIn = (all: readonly Attachment[]) => all.flatMap((it) => it.stored ?? [])
  const [before, after] = [storedIn(attachmentsIn(box)), storedIn(attachments)]
  show(box, attachments)
  if (!owner) return
  // Only what changed here: what another tab attached meanwhile stays.
  const kept = readJson(keyOf(box))
  const others = (Array.isArray(kept) ? (kept as StoredFile[]) : []).filter(({ id }) => !has(before, id))
  const all = [...after, ...others.filter(({ id }) => !has(after, id))]
  saveItem(keyOf(box), all.length > 0 ? JSON.stringify(all) : undefined)
}

const show = (box: string, attachments: readonly Attachment[]) =>
  trays.set(box, attachments.length > 0 ? attachments : undefined)
