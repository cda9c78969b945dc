import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { downloadFile, downloadThumbnail } from '#contract/files'
import { readableFile } from '../../access/access.ts'
import { notFound } from '../../errors.ts'
import { contentDisposition } from '../../files/file-name.ts'
import { isInline } from '../../files/file-type.ts'
import { storageKeyOf, thumbnailKeyOf } from '../../files/storage.ts'
import { byteRoute } from '../../route.ts'
import { holds, rangeIn } from './range.ts'

interface Bytes {
  key: string
  size: number
  etag: string
  type: string
  disposition: string
}

/** What a file may do in a browser that opens it by its address: nothing. */
const SANDBOX = "sandbox; default-src 'none'; frame-ancestors 'none'"

/** Mounts the ways to a file's bytes. Who may read is asked each time, also by those who hold it already. */
export function mountDownloads(app: FastifyInstance) {
  byteRoute(app, downloadFile, async ({ params: { fileId }, me, request, reply }) => {
    const { id, name, type, size } = await readableFile(app, me, fileId)
    const shown = isInline(type)
    return send(app, request, reply, {
      key: storageKeyOf(id),
      size,
      etag: `"${id}"`,
      // What is saved is bytes; the type of what a browser shows was read from them.
      type: shown ? type : 'application/octet-stream',
      disposition: contentDisposition(name, shown),
    })
  })

  byteRoute(app, downloadThumbnail, async ({ params: { fileId }, me, request, reply }) => {
    const { id, name, thumbnailSize } = await readableFile(app, me, fileId)
    if (thumbnailSize === null) throw notFound('Thumbnail')
    return send(app, request, reply, {
      key: thumbnailKeyOf(id),
      size: thumbnailSize,
      etag: `"${id}.thumbnail"`,
      type: 'image/webp',
      disposition: contentDisposition(`${name}.webp`, true),
    })
  })
}

async function send({ storage }: FastifyInstance, request: FastifyRequest, reply: FastifyReply, bytes: Bytes) {
  const { key, size, etag, type } = bytes
  const { range: asked, 'if-range': ifRange, 'if-none-match': held } = request.headers
  reply.headers({
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    // What one session brought into a browser's cache is answered to no other, nor to none.
    vary: 'Cookie, Authorization',
    'content-security-policy': SANDBOX,
    etag,
  })
  if (holds(held, etag)) return reply.status(304).send()
  reply.headers({ 'content-type': type, 'content-disposition': bytes.disposition })
  // A part fits only to what the reader has of the same bytes.
  const range = ifRange === undefined || ifRange === etag ? partOf(asked, size, reply) : undefined
  reply.header('content-length', range ? range.end - range.start + 1 : size)
  if (range) reply.status(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`)
  // An empty stream, because the length of anything else would be told instead.
  if (request.method === 'HEAD' || size === 0) return reply.send(Readable.from([]))
  const stream = await storage.read(key, size, range)
  if (!stream) {
    request.log.error({ key }, 'the bytes of a file are missing')
    throw notFound('File')
  }
  return reply.send(stream)
}

function partOf(asked: string | undefined, size: number, reply: FastifyReply) {
  try {
    return rangeIn(asked, size)
  } catch (error) {
    reply.header('content-range', `bytes */${size}`)
    throw error
  }
}
