import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, numeral, Time, UserId } from './ids.ts'
import { limits } from './limits.ts'

/** A file as everyone sees it who reads its channel. Sizes are bytes, sides are pixels as the picture is looked at. */
export const StoredFile = z.object({
  id: Id,
  name: z.string(),
  /** MIME type, by what the bytes are and not by what the uploader said. */
  type: z.string(),
  size: z.int(),
  url: z.string(),
  /** A WebP of at most 800 × 600; null where there is no picture to show. */
  thumbnailUrl: z.nullable(z.string()),
  width: z.nullable(z.int()),
  height: z.nullable(z.int()),
  userId: UserId,
  channelId: Id,
  /** The message it was sent with. */
  messageId: z.nullable(Id),
  createdAt: Time,
})
export type StoredFile = z.output<typeof StoredFile>

const page = {
  /** The id of a file: older ones than it. */
  before: z.optional(Id),
  limit: z._default(numeral(1, limits.page.max), limits.page.default),
}
const params = z.object({ fileId: Id })

/** What comes with the bytes of an upload, as the text fields of a form. */
export const UploadFields = z.object({
  /** Where it belongs; the public bucket unless said. */
  channelId: z.optional(Id),
  /** Its name as it is, before the file; else the one that the form gives it counts, which cannot hold every name. */
  name: z.optional(z.string()),
  /** 'true': it goes out with a message of mine, and nobody else sees it before that. */
  forMessage: z._default(z.enum(['true', 'false'], "must be 'true' or 'false'"), 'false'),
})

export const uploadFile = endpoint({
  method: 'POST',
  path: '/api/files/upload',
  summary: 'Upload one file into a channel of mine, or into the public bucket.',
  takes: 'multipart/form-data',
  body: z.extend(UploadFields, { file: z.file() }),
  status: 201,
  reply: StoredFile,
})

export const fileLimits = endpoint({
  method: 'GET',
  path: '/api/files/limits',
  summary: 'What an upload is held to: the bytes of the largest file.',
  reply: z.object({ size: z.number() }),
})

export const listFiles = endpoint({
  method: 'GET',
  path: '/api/files',
  summary: 'The files of all channels I may read, the newest first.',
  query: z.object(page),
  reply: z.array(StoredFile),
})

export const listChannelFiles = endpoint({
  method: 'GET',
  path: '/api/files/channel/:channelId',
  summary: 'The files of a channel, the newest first.',
  params: z.object({ channelId: Id }),
  query: z.object(page),
  reply: z.array(StoredFile),
})

export const listUserFiles = endpoint({
  method: 'GET',
  path: '/api/files/user/:userId',
  summary: 'The files somebody uploaded to channels I may read, the newest first.',
  params: z.object({ userId: UserId }),
  query: z.object(page),
  reply: z.array(StoredFile),
})

export const downloadFile = endpoint({
  method: 'GET',
  path: '/api/files/:fileId/:name',
  summary: 'The bytes of a file, or the `Range` of them. Takes the session cookie too; the name is for people.',
  params: z.extend(params, { name: z.string() }),
  // What a browser shows where it is has its own type, all else is bytes.
  gives: '*/*',
  alsoStatus: [206, 304],
  reply: z.file(),
})

export const downloadThumbnail = endpoint({
  method: 'GET',
  path: '/api/thumbnails/:fileId',
  summary: 'The thumbnail of a picture. Takes the session cookie too.',
  params,
  gives: 'image/webp',
  alsoStatus: [206, 304],
  reply: z.file(),
})

export const deleteFile = endpoint({
  method: 'DELETE',
  path: '/api/files/:fileId',
  summary: 'Delete a file of mine; the message it was sent with stays.',
  params,
  status: 204,
  reply: z.undefined(),
})
