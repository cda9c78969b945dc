import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import { UploadFields, uploadFile } from '#contract/files'
import { limits } from '#contract/limits'
import { uploadChannel } from '../../access/access.ts'
import { readPublicBucketId } from '../../channels/workspace.ts'
import { fileTooLarge, invalid, rateLimited } from '../../errors.ts'
import { decodeFormFileName } from '../../files/file-name.ts'
import { presentFile } from '../../files/file-rows.ts'
import { countIncoming } from '../../files/incoming-stream.ts'
import { completeUpload, discardUpload, remainingQuota, storeFile } from '../../files/store-file.ts'
import { onceClosed } from '../../http/once-closed.ts'
import { createKeyCounter } from '../../limits/key-counter.ts'
import { byteRoute, read } from '../../route.ts'

/** What may come in a form besides the file, and how long each of it may be. */
const FORM = { fields: 10, fieldNameSize: 100, fieldSize: 1000, files: 1, parts: 11, headerPairs: 20 }
const FORM_BYTES = 64 * 1024
/** Milliseconds for which what is left of a refused upload is read, so that its sender can hear the refusal. */
const FAREWELL = 30_000

/** Mounts the upload of a file: its bytes pass through to the store, and little of it is ever held. */
export async function mountUpload(app: FastifyInstance) {
  // How long a file may be is counted where its bytes pass.
  await app.register(multipart, { limits: { ...FORM, fileSize: Number.MAX_SAFE_INTEGER } })
  const running = createKeyCounter()

  byteRoute(app, uploadFile, async ({ me, request, reply }) => {
    try {
      if (running.count(me) >= limits.uploads) throw rateLimited(1, 'Too many uploads at once')
      const claimed = Number(request.headers['content-length'] ?? 0)
      if (claimed > app.config.maxFileSize + FORM_BYTES) throw fileTooLarge(app.config.maxFileSize)
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
      readRest(request)
    }
  })
}

/** Takes one file and what is said about it, in whatever order they come. */
async function receive(app: FastifyInstance, me: string, request: FastifyRequest) {
  const given: Record<string, unknown> = {}
  const connection = new AbortController()
  request.raw.once('close', () => {
    if (!request.raw.complete) connection.abort()
  })
  let id: string | undefined
  try {
    for await (const part of partsOf(request)) {
      if (part.type === 'field') given[part.fieldname] = part.value
      else if (part.fieldname !== 'file' || id) throw invalid('file must be the only file', { file: 'must be one' })
      else {
        // A refusal that is known already need not wait for the bytes.
        if ('channelId' in given) await placeOf(app, me, given)
        const { name } = given
        const called = typeof name === 'string' ? name : decodeFormFileName(part.filename)
        id = await keep(app, me, part, called, connection.signal, (begun) => {
          id = begun
        })
      }
    }
    if (!id) throw invalid('file is required', { file: 'is required' })
    // Asked again: much may have happened while the bytes came.
    return await completeUpload(app, me, id, await placeOf(app, me, given))
  } catch (error) {
    if (id) await discardUpload(app, id)
    throw error
  }
}

async function keep(
  app: FastifyInstance,
  me: string,
  { file, mimetype }: MultipartFile,
  name: string,
  signal: AbortSignal,
  begun: (id: string) => void,
) {
  const most = await remainingQuota(app, me)
  const stream = countIncoming(file, most, signal)
  return storeFile(app, me, { name, claimed: mimetype }, stream, begun)
}

/** The parts of the form. What the parser says of a form that it cannot read is a refusal, not our failure. */
async function* partsOf(request: FastifyRequest) {
  try {
    yield* request.parts()
  } catch (error) {
    throw (error as FastifyError).statusCode ? error : invalid('The form is malformed')
  }
}

/** Where the file belongs, for those who may put it there. */
async function placeOf(app: FastifyInstance, me: string, given: Record<string, unknown>) {
  const { channelId = await readPublicBucketId(app.db), forMessage } = read('body', UploadFields, given)
  const channel = await uploadChannel(app.doors, me, channelId)
  return { channelId: channel.id, forMessage: forMessage === 'true', membersOnly: channel.isMember }
}

function readRest({ raw }: FastifyRequest) {
  if (raw.complete || raw.destroyed) return
  raw.unpipe()
  raw.resume()
  const timer = setTimeout(() => raw.destroy(), FAREWELL).unref()
  raw.once('close', () => clearTimeout(timer))
}
