import type { FileRow } from '../files/file-rows.ts'
import type { MessageRow } from '../messages/message-rows.ts'

/** The version of the format, which docs/running/export.md describes. */
export const FORMAT = { format: 'parley-export', version: 1 } as const

export const jsonLine = (value: unknown) => `${JSON.stringify(value)}\n`

/** The text of a message before an edit. */
export interface EarlierText {
  content: string
  writtenAt: string
}

/** A message as archived: with ids in place of names, and files by their path in the archive. */
export const messageLine = (row: MessageRow, earlier: EarlierText[]) =>
  jsonLine({
    id: row.id,
    channelId: row.channelId,
    threadId: row.threadId,
    userId: row.userId,
    seq: row.seq,
    content: row.content,
    createdAt: row.createdAt,
    editedAt: row.editedAt,
    deletedAt: row.deletedAt,
    mentions: row.mentions,
    broadcast: row.broadcast,
    reactions: row.reactions,
    pinnedAt: row.pinnedAt,
    pinnedBy: row.pinnedBy,
    files: row.files.map((file) => ({ ...file, path: filePath(file) })),
    ...(earlier.length > 0 && { earlier }),
  })

export const fileLine = (file: Omit<FileRow, 'channelId'> & { channelId: string | null }) =>
  jsonLine({ ...file, path: filePath(file) })

/** A file's path in the archive. */
export const filePath = ({ id, name }: { id: string; name: string }) => `files/${id}/${safeName(name)}`

/** Without the extension. File systems allow 255 bytes, some tools less. */
const MAX_NAME_BYTES = 180

/** A name that every system can store: without separators, control characters, and trailing dots or spaces. */
export function safeName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must go
  const safe = name.replace(/[\\/:*?"<>|\u0000-\u001f\u007f]/g, '_').replace(/[. ]+$/, '')
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(safe)?.[0] ?? ''
  const cut = cutTo(MAX_NAME_BYTES, safe.slice(0, safe.length - extension.length)).replace(/[. ]+$/, '') + extension
  return /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(cut) || cut === '' ? `_${cut}` : cut
}

function cutTo(bytes: number, text: string): string {
  if (Buffer.byteLength(text) <= bytes) return text
  let cut = ''
  for (const character of text) {
    if (Buffer.byteLength(cut + character) > bytes) break
    cut += character
  }
  return cut
}
