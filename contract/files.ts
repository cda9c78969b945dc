import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { fieldProblem } from './errors.ts'
import { Id, numeral, Time, UserId } from './ids.ts'
import { limits } from './limits.ts'
import { storable } from './text.ts'

/** A file as readers of its channel see it. `size` is in bytes, width and height are pixels as displayed. */
export const StoredFile = z.object({
  id: Id,
  name: z.string(),
  /** MIME type, detected from the bytes and not from the upload. */
  type: z.string(),
  size: z.int(),
  url: z.string(),
  /** A WebP of at most 800 × 600; null if the file is not a picture. */
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

/** Filters of the file list; anything that is not an image, audio or video is a document. */
export const fileKinds = ['image', 'document', 'audio', 'video'] as const
export type FileKind = (typeof fileKinds)[number]

const page = {
  /** A file's id: returns older files. */
  before: z.optional(Id),
  limit: z._default(numeral(1, limits.page.max), limits.page.default),
}
const params = z.object({ fileId: Id })

/** The text fields of an upload's form. */
export const UploadFields = z.object({
  /** Its channel; the public bucket by default. */
  channelId: z.optional(Id),
  /** Its exact name, which must precede the file. By default the form's own file name, which cannot express every name. */
  name: z.optional(z.string()),
  /** 'true': it will be sent with a message, and is hidden from others until then. */
  forMessage: z._default(
    z.enum(['true', 'false'], fieldProblem('errors.notOneOf', { options: 'true, false' })),
    'false',
  ),
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
  summary: 'Upload limits: the size of the largest file in bytes.',
  reply: z.object({ size: z.number() }),
})

export const listFiles = endpoint({
  method: 'GET',
  path: '/api/files',
  summary:
    'The files of all channels I can read, newest first; only those with all words of `name` in their name, or of a kind.',
  query: z.object({
    ...page,
    name: z.optional(z.string().check(z.maxLength(limits.fileName), storable)),
    kind: z.optional(z.enum(fileKinds, fieldProblem('errors.notOneOf', { options: fileKinds.join(', ') }))),
  }),
  reply: z.array(StoredFile),
})

export const listChannelFiles = endpoint({
  method: 'GET',
  path: '/api/files/channel/:channelId',
  summary: 'The files of a channel, newest first.',
  params: z.object({ channelId: Id }),
  query: z.object(page),
  reply: z.array(StoredFile),
})

export const listUserFiles = endpoint({
  method: 'GET',
  path: '/api/files/user/:userId',
  summary: 'The files a user uploaded to channels I can read, newest first.',
  params: z.object({ userId: UserId }),
  query: z.object(page),
  reply: z.array(StoredFile),
})

export const downloadFile = endpoint({
  method: 'GET',
  path: '/api/files/:fileId/:name',
  summary:
    'The bytes of a file, or a `Range` of them. Accepts the session cookie, too; the name in the URL is only for people.',
  params: z.extend(params, { name: z.string() }),
  // Types that browsers don't show inline are served under a generic one.
  gives: '*/*',
  alsoStatus: [206, 304],
  reply: z.file(),
})

export const downloadThumbnail = endpoint({
  method: 'GET',
  path: '/api/thumbnails/:fileId',
  summary: 'The thumbnail of a picture. Accepts the session cookie, too.',
  params,
  gives: 'image/webp',
  alsoStatus: [206, 304],
  reply: z.file(),
})

export const deleteFile = endpoint({
  method: 'DELETE',
  path: '/api/files/:fileId',
  summary: 'Delete one of my files; the message it was sent with stays.',
  params,
  status: 204,
  reply: z.undefined(),
})
