import { buffer } from 'node:stream/consumers'
import multipart from '@fastify/multipart'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, fileTooLarge, invalid, invalidField, notFound } from '../../errors.ts'
import { detectType, isPicture } from '../../files/file-type.ts'
import { countIncoming } from '../../files/incoming-stream.ts'
import { type Storage, storageKeyOf } from '../../files/storage.ts'
import { matchesEtag } from '../files/range.ts'

const FORM_LIMITS = { fields: 5, fieldNameSize: 100, fieldSize: 1000, files: 1, parts: 6, headerPairs: 20 }
const UPLOAD_TIMEOUT_MS = 60_000
const YEAR_SECONDS = 365 * 24 * 3600

/** Lets the routes of a plugin receive forms with a picture. */
export const acceptPictures = (app: FastifyInstance) =>
  app.register(multipart, { limits: { ...FORM_LIMITS, fileSize: Number.MAX_SAFE_INTEGER } })

/** Reads the form's one file, a picture. @throws AppError 413 or 400 */
export async function receivePicture(request: FastifyRequest, maxBytes: number): Promise<Buffer> {
  const connection = new AbortController()
  request.raw.once('close', () => {
    if (!request.raw.complete) connection.abort()
  })
  const signal = AbortSignal.any([connection.signal, AbortSignal.timeout(UPLOAD_TIMEOUT_MS)])
  const max = { bytes: maxBytes, refused: () => fileTooLarge(maxBytes) }
  let picture: Buffer | undefined
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') continue
      if (part.fieldname !== 'file' || picture) throw invalidField('file', 'errors.mustBeOnlyFile')
      const { bytes, received } = countIncoming(part.file, max, signal)
      picture = await buffer(bytes)
      if (!isPicture(await detectType(received().sample, part.mimetype)))
        throw invalidField('file', 'errors.notAPicture')
    }
  } catch (error) {
    if (error instanceof AppError || (error as FastifyError).statusCode) throw error
    throw (error as { code?: string }).code ? error : invalid('errors.malformedForm')
  }
  if (!picture) throw invalidField('file', 'errors.required')
  return picture
}

interface StoredPicture {
  fileId: string
  /** Of a hash of the content, which the URL contains as well. */
  etag: string
  /** Where it lies in the file. */
  range: { start: number; length: number; total: number }
}

/** Sends a picture from the storage, which browsers keep for a year. @throws AppError 404 if its bytes are gone */
export async function sendPicture(
  { storage }: { storage: Storage },
  request: FastifyRequest,
  reply: FastifyReply,
  { fileId, etag, range: { start, length, total } }: StoredPicture,
) {
  reply.headers({
    'cache-control': `private, max-age=${YEAR_SECONDS}, immutable`,
    // A browser's cache must not serve one session's file to another.
    vary: 'Cookie, Authorization',
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    etag,
  })
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.status(304).send()
  const bytes = await storage.read(storageKeyOf(fileId), total, { start, end: start + length - 1 })
  if (!bytes) {
    reply.removeHeader('cache-control').removeHeader('etag')
    throw notFound('errors.fileNotFound')
  }
  return reply.headers({ 'content-type': 'image/webp', 'content-length': length }).send(bytes)
}
