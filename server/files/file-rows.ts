import type { Kysely, Transaction } from 'kysely'
import type { StoredFile } from '#contract/files'
import type { DB } from '../db/schema.ts'

/** What a message's row holds of a file. */
export type AttachedRow = Pick<StoredFile, 'id' | 'name' | 'type' | 'size' | 'width' | 'height' | 'createdAt'> & {
  /** Bytes; null where there is none. */
  thumbnailSize: number | null
}

/** A file as it is stored. */
export interface FileRow extends AttachedRow {
  userId: string
  channelId: string
  messageId: string | null
}

export const fileColumns = [
  'files.id',
  'files.name',
  'files.type',
  'files.size',
  'files.width',
  'files.height',
  'files.thumbnailSize',
  'files.createdAt',
  'files.userId',
  'files.channelId',
  'files.messageId',
] as const

/** Files whose bytes are there; who may read them is the caller's to ask. */
export const selectFiles = (db: Kysely<DB> | Transaction<DB>) =>
  db
    .selectFrom('files')
    .select(fileColumns)
    .where('files.state', '=', 'ready')
    // A ready file has its channel: the table sees to it.
    .$narrowType<{ channelId: string }>()

/** Where its bytes are; the name is for people. */
export const urlOf = ({ id, name }: Pick<FileRow, 'id' | 'name'>) => `/api/files/${id}/${encodeURIComponent(name)}`

export const presentFile = ({ thumbnailSize, ...file }: FileRow): StoredFile => ({
  ...file,
  url: urlOf(file),
  thumbnailUrl: thumbnailSize === null ? null : `/api/thumbnails/${file.id}`,
})
