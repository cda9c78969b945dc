import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { downloadFile, downloadThumbnail } from '#contract/files'
import { readableFile } from '../../access/access.ts'
import { notFound } from '../../errors.ts'
import { contentDisposition } from '../../files/file-name.ts'
import { isInline } from '../../files/file-type.ts'
import { storageKeyOf, thumbnailKeyOf } from '../../files/storage.ts'
import { byteRoute } from '../../route.ts'
import { matchesEtag, rangeIn } from './range.ts'

interface FileContent {
  key: string
  size: number
  etag: string
  type: string
  disposition: string
}

/** A file that is opened by its URL must not run or load anything. */
const SANDBOX = "sandbox; default-src 'none'; frame-ancestors 'none'"

/** Mounts downloads of files and thumbnails. Access is checked on each request, even if the client's copy is current. */
export function mountDownloads(app: FastifyInstance) {
  byteRoute(app, downloadFile, async ({ params: { fileId }, me, request, reply }) => {
    const { id, name, type, size } = await readableFile(app, me, fileId)
    const isShownInline = isInline(type)
    return sendContent(app, request, reply, {
      key: storageKeyOf(id),
      size,
      etag: `"${id}"`,
      // Only types that may be shown inline are declared; we detected them from the content.
      type: isShownInline ? type : 'application/octet-stream',
      disposition: contentDisposition(name, isShownInline),
    })
  })

  byteRoute(app, downloadThumbnail, async ({ params: { fileId }, me, request, reply }) => {
    const { id, name, thumbnailSize } = await readableFile(app, me, fileId)
    if (thumbnailSize === null) throw notFound('errors.thumbnailNotFound')
    return sendContent(app, request, reply, {
      key: thumbnailKeyOf(id),
      size: thumbnailSize,
      etag: `"${id}.thumbnail"`,
      type: 'image/webp',
      disposition: contentDisposition(`${name}.webp`, true),
    })
  })
}

/** Sends stored bytes, whole or a range of them. The caller has checked access. */
export async function sendContent(
  { config, storage }: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  content: FileContent,
) {
  const { key, size, etag, type } = content
  const { range: requestedRange, 'if-range': ifRange, 'if-none-match': ifNoneMatch } = request.headers
  reply.headers({
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    // A browser's cache must not serve one session's file to another.
    vary: 'Cookie, Authorization',
    'content-security-policy': SANDBOX,
    etag,
  })
  if (matchesEtag(ifNoneMatch, etag)) return reply.status(304).send()
  reply.headers({ 'content-type': type, 'content-disposition': content.disposition })
  // A part is useful only if the client's other parts are of the same file.
  const range = ifRange === undefined || ifRange === etag ? partOf(requestedRange, size, reply) : undefined
  const path = storage.pathOf(key)
  if (config.xAccelRedirect && path && isProxied(request, range !== undefined)) {
    // The proxy handles the range, and sets this header itself.
    reply.removeHeader('accept-ranges').header('x-accel-redirect', `${config.xAccelRedirect}${path}`)
    return reply.send('')
  }
  reply.header('content-length', range ? range.end - range.start + 1 : size)
  if (range) reply.status(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`)
  // An empty stream, because Fastify would overwrite the content-length of anything else.
  if (request.method === 'HEAD' || size === 0) return reply.send(Readable.from([]))
  const stream = await storage.read(key, size, range)
  if (!stream) {
    request.log.error({ key }, 'the content of a file is missing')
    throw notFound('errors.fileNotFound')
  }
  return reply.send(stream)
}

/** Ranges that nginx interprets like Parley. Others are rare, and Parley sends those bytes itself. */
const PLAIN_RANGE = /^bytes=(\d{1,15}-\d{0,15}|-\d{1,15})$/

/** Whether the proxy may send the bytes, because it would interpret this request's headers in the same way. */
function isProxied({ method, headers }: FastifyRequest, isPart: boolean) {
  // Firefox resumes a download with `if-match`, which nginx refuses because it doesn't know Parley's ETag.
  if (method === 'HEAD' || 'if-match' in headers || 'if-unmodified-since' in headers) return false
  return headers.range === undefined || (isPart && PLAIN_RANGE.test(headers.range))
}

function partOf(header: string | undefined, size: number, reply: FastifyReply) {
  try {
    return rangeIn(header, size)
  } catch (error) {
    reply.header('content-range', `bytes */${size}`)
    throw error
  }
}
