import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import { UploadFields, uploadFile } from '#contract/files'
import { limits } from '#contract/limits'
import { uploadChannel } from '../../access/access.ts'
import { readPublicBucketId } from '../../channels/workspace.ts'
import { fileTooLarge, invalid, invalidField, rateLimited } from '../../errors.ts'
import { decodeFormFileName } from '../../files/file-name.ts'
import { presentFile } from '../../files/file-rows.ts'
import { countIncoming } from '../../files/incoming-stream.ts'
import { completeUpload, discardUpload, remainingQuota, storeFile } from '../../files/store-file.ts'
import { drain } from '../../http/drain-body.ts'
import { onceClosed } from '../../http/once-closed.ts'
import { createKeyCounter } from '../../limits/key-counter.ts'
import { byteRoute, read } from '../../route.ts'

/** Limits of the form's parser, in bytes and counts. */
const FORM_LIMITS = { fields: 10, fieldNameSize: 100, fieldSize: 1000, files: 1, parts: 11, headerPairs: 20 }
const MAX_FORM_BYTES = 64 * 1024

/** Mounts the upload, which streams a file to the storage. */
export async function mountUpload(app: FastifyInstance) {
  // `countIncoming` limits the size.
  await app.register(multipart, { limits: { ...FORM_LIMITS, fileSize: Number.MAX_SAFE_INTEGER } })
  const running = createKeyCounter()

  byteRoute(app, uploadFile, async ({ me, request, reply }) => {
    try {
      if (running.count(me) >= limits.uploads) throw rateLimited(1, 'errors.tooManyUploads')
      const declaredBytes = Number(request.headers['content-length'] ?? 0)
      if (declaredBytes > app.config.maxFileSize + MAX_FORM_BYTES) throw fileTooLarge(app.config.maxFileSize)
      running.enter(me)
      try {
        const file = await receive(app, me, request)
        onceClosed(reply.raw, () => {
          if (!reply.raw.writableEnded) void discardUpload(app, file.id)
        })
        return await reply.status(201).send(uploadFile.reply.parse(presentFile(file)))
      } finally {
        running.leave(me)
      }
    } finally {
      drain(request)
    }
  })
}

/** Receives one file and its fields, in any order. */
async function receive(app: FastifyInstance, me: string, request: FastifyRequest) {
  const fields: Record<string, unknown> = {}
  const connection = new AbortController()
  request.raw.once('close', () => {
    if (!request.raw.complete) connection.abort()
  })
  let id: string | undefined
  try {
    for await (const part of partsOf(request)) {
      if (part.type === 'field') fields[part.fieldname] = part.value
      else if (part.fieldname !== 'file' || id) throw invalidField('file', 'errors.mustBeOnlyFile')
      else {
        // Check early if the channel is known, to refuse before the bytes arrive.
        if ('channelId' in fields) await readTarget(app, me, fields)
        const { name } = fields
        const fileName = typeof name === 'string' ? name : decodeFormFileName(part.filename)
        id = await store(app, me, part, fileName, connection.signal, (startedId) => {
          id = startedId
        })
      }
    }
    if (!id) throw invalidField('file', 'errors.required')
    // Check again: the user may have been removed since.
    return await completeUpload(app, me, id, await readTarget(app, me, fields))
  } catch (error) {
    if (id) await discardUpload(app, id)
    throw error
  }
}

async function store(
  app: FastifyInstance,
  me: string,
  { file, mimetype }: MultipartFile,
  name: string,
  signal: AbortSignal,
  onStart: (id: string) => void,
) {
  const max = await remainingQuota(app, me)
  const stream = countIncoming(file, max, signal)
  return storeFile(app, me, { name, claimed: mimetype }, stream, onStart)
}

/** The parts of the form. @throws AppError 400 if it cannot be parsed */
async function* partsOf(request: FastifyRequest) {
  try {
    yield* request.parts()
  } catch (error) {
    throw (error as FastifyError).statusCode ? error : invalid('errors.malformedForm')
  }
}

/** The channel of the upload. @throws AppError if the user may not upload there */
async function readTarget(app: FastifyInstance, me: string, fields: Record<string, unknown>) {
  const { channelId = await readPublicBucketId(app.db), forMessage } = read('body', UploadFields, fields)
  const channel = await uploadChannel(app.doors, me, channelId)
  return { channelId: channel.id, forMessage: forMessage === 'true', membersOnly: channel.isMember }
}
