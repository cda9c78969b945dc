import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { openArchive } from '../../imports/archive/open-archive.ts'
import type {
  ContentPart,
  ImportArchive,
  ImportReader,
  ImportRecord,
  MessageRecord,
  Omission,
  ReadChoices,
} from '../../imports/records.ts'
import { atEnd } from './cleanup.ts'

/** Text is written as is, other values as JSON. */
export type Contents = Record<string, unknown>

const bytesOf = (value: unknown) =>
  Buffer.isBuffer(value) ? value : Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))

export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-import-test-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Writes a ZIP and returns its path. */
export async function zipOf(contents: Contents): Promise<string> {
  const path = join(await newFolder(), 'archive.zip')
  const zip = new ZipFile()
  for (const [name, value] of Object.entries(contents)) zip.addBuffer(bytesOf(value), name)
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(path))
  return path
}

/** Everything that a reader yields. */
export async function readAll(reader: ImportReader, source: Contents | ImportArchive, choices: ReadChoices = {}) {
  const isOpen = typeof source['open'] === 'function'
  const archive = isOpen ? (source as ImportArchive) : await openArchive(await zipOf(source as Contents))
  const omitted: Partial<Record<Omission, string[]>> = {}
  const report = {
    add(omission: Omission, example: string) {
      omitted[omission] = [...(omitted[omission] ?? []), example]
    },
  }
  const records: ImportRecord[] = []
  const isRecognized = await reader.recognizes(archive)
  for await (const record of reader.read(archive, report, choices)) records.push(record)
  await archive.close()
  expectOrder(records)
  return {
    isRecognized,
    records,
    omitted,
    people: records.filter((record) => record.kind === 'person'),
    emoji: records.filter((record) => record.kind === 'emoji'),
    channels: records.filter((record) => record.kind === 'channel'),
    messages: records.filter((record) => record.kind === 'message'),
  }
}

/** The bytes of files by key and of emoji by name, opened when the reader has ended, as the loader does. */
export async function readBytes(reader: ImportReader, contents: Contents): Promise<Record<string, string>> {
  const archive = await openArchive(await zipOf(contents))
  const open: (readonly [string, (() => Promise<Readable>) | null])[] = []
  for await (const record of reader.read(archive, { add: () => undefined })) {
    if (record.kind === 'emoji') open.push([`:${record.key}:`, record.open])
    if (record.kind === 'message') open.push(...record.files.map((file) => [file.key, file.open] as const))
  }
  const bytes: Record<string, string> = {}
  for (const [name, openFile] of open) if (openFile) bytes[name] = await text(await openFile())
  await archive.close()
  return bytes
}

/** Checks what the loader relies on: records follow those that they refer to, and keys are unique. */
function expectOrder(records: ImportRecord[]) {
  const known = new Set<string>()
  const need = (kind: string, key: string) => {
    if (!known.has(`${kind} ${key}`)) throw new Error(`${kind} ${key} is named before it comes`)
  }
  for (const record of records) {
    if (record.kind === 'channel') for (const key of record.memberKeys) need('person', key)
    if (record.kind === 'channel' && record.topicOf !== undefined) need('channel', record.topicOf)
    if (record.kind === 'emoji' && record.authorKey !== null) need('person', record.authorKey)
    if (record.kind === 'message') {
      if (record.pin?.personKey) need('person', record.pin.personKey)
      need('channel', record.channelKey)
      need('person', record.authorKey)
      if (record.parentKey !== null) need('message', record.parentKey)
      for (const part of record.content) if ('person' in part) need('person', part.person)
      for (const { personKeys } of record.reactions) for (const key of personKeys) need('person', key)
    }
    if (known.has(`${record.kind} ${record.key}`)) throw new Error(`${record.kind} ${record.key} comes twice`)
    known.add(`${record.kind} ${record.key}`)
  }
}

/** A message's text, with keys in braces in place of names. */
export const shownContent = (content: ContentPart[]) =>
  content
    .map((part) => {
      if ('message' in part) return `{message ${part.message}}`
      if ('text' in part) return part.text
      if ('person' in part) return `{@${part.person}}`
      return 'channel' in part ? `{#${part.channel}}` : `{@${part.broadcast}}`
    })
    .join('')

export const textsBy = (messages: MessageRecord[]) =>
  Object.fromEntries(messages.map(({ key, content }) => [key, shownContent(content)]))
