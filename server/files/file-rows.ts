import type { Kysely, Transaction } from 'kysely'
import type { StoredFile } from '#contract/files'
import type { DB } from '../db/schema.ts'

/** A file as a message's row stores it. */
export type AttachedRow = Pick<StoredFile, 'id' | 'name' | 'type' | 'size' | 'width' | 'height' | 'createdAt'> & {
  /** Bytes; null without a thumbnail. */
  thumbnailSize: number | null
}

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

/** Fully uploaded files. The caller checks access. */
export const selectFiles = (db: Kysely<DB> | Transaction<DB>) =>
  db
    .selectFrom('files')
    .select(fileColumns)
    .where('files.state', '=', 'ready')
    // A check constraint guarantees it.
    .$narrowType<{ channelId: string }>()

/** The name in the URL is only for readability. */
export const urlOf = ({ id, name }: Pick<FileRow, 'id' | 'name'>) => `/api/files/${id}/${encodeURIComponent(name)}`

export const presentFile = ({ thumbnailSize, ...file }: FileRow): StoredFile => ({
  ...file,
  url: urlOf(file),
  thumbnailUrl: thumbnailSize === null ? null : `/api/thumbnails/${file.id}`,
})
