import type { Readable } from 'node:stream'
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3'
import type { S3Config } from '../config/config.ts'
import { AppError, storageUnavailable } from '../errors.ts'
import { type Bounds, bounds } from '../limits/bounds.ts'
import { type Begun, createUploads, withTimeout } from './s3-uploads.ts'
import { unlessStalled } from './stalled-stream.ts'
import type { Storage } from './storage.ts'

/** More than downloads may be open at a time: paused ones must not block uploads. */
const MAX_CONNECTIONS = 512
const READ_TIMEOUT_MS = 4_000
/** Without bytes, once a file has begun to arrive. */
const MAX_STALL_MS = 30_000

/** Stores files in an S3-compatible bucket, under one prefix. */
export function openBucket(
  config: S3Config,
  prefix: string,
  maxFileSize: number,
  limits: Bounds['uploadParts'] = bounds.uploadParts,
): Storage {
  const { bucket: Bucket } = config
  const client = new S3Client({
    region: config.region,
    ...(config.endpoint && { endpoint: config.endpoint }),
    forcePathStyle: true,
    credentials: { accessKeyId: config.accessKeyId, secretAccessKey: config.secretAccessKey },
    // The signature covers each body, and not every store supports additional checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 2,
    requestHandler: { httpAgent: { maxSockets: MAX_CONNECTIONS }, httpsAgent: { maxSockets: MAX_CONNECTIONS } },
  })
  const at = (key: string) => ({ Bucket, Key: `${prefix}/${key}` })
  const uploads = createUploads(client, at, maxFileSize, limits)

  async function abortAll(key: string) {
    const { Uploads = [] } = await client
      .send(new ListMultipartUploadsCommand({ Bucket, Prefix: at(key).Key }), withTimeout())
      // Some stores don't list them, and expire them by a rule.
      .catch(() => ({ Uploads: [] }))
    for (const { UploadId } of Uploads) await uploads.abort(key, UploadId).catch(() => {})
  }

  async function remove(keys: string[]) {
    // S3 rejects an empty request.
    if (keys.length === 0) return
    for (const key of keys) await abortAll(key)
    const Objects = keys.map((key) => ({ Key: at(key).Key }))
    const { Errors: errors = [] } = await client.send(
      new DeleteObjectsCommand({ Bucket, Delete: { Objects } }),
      withTimeout(),
    )
    const [first] = errors
    if (first) throw storageUnavailable(`${first.Key} was not removed: ${first.Message ?? first.Code}`)
  }

  return {
    async write(key, bytes, uploader) {
      const begun: Begun = {}
      try {
        const size = await uploads.send(key, bytes, uploader, begun)
        const { ContentLength } = await client.send(new HeadObjectCommand(at(key)), withTimeout())
        if (ContentLength !== size) throw storageUnavailable(`${ContentLength} of ${size} bytes were stored`)
      } catch (error) {
        bytes.destroy()
        await uploads.abort(key, begun.UploadId).catch(() => {})
        await remove([key]).catch(() => {})
        throw error === bytes.errored ? error : asUnavailable(error)
      }
    },

    async read(key, size, range) {
      const timeout = new AbortController()
      const timer = setTimeout(() => timeout.abort(), READ_TIMEOUT_MS)
      try {
        const input = { ...at(key), ...(range && { Range: `bytes=${range.start}-${range.end}` }) }
        const { Body, ContentLength } = await client.send(new GetObjectCommand(input), { abortSignal: timeout.signal })
        const bytes = Body as Readable
        if (ContentLength === (range ? range.end - range.start + 1 : size)) return unlessStalled(bytes, MAX_STALL_MS)
        bytes.destroy()
        return undefined
      } catch (error) {
        if (isMissing(error)) return undefined
        throw asUnavailable(error)
      } finally {
        clearTimeout(timer)
      }
    },

    pathOf: () => undefined,

    remove: (keys) =>
      remove(keys).catch((error) => {
        throw asUnavailable(error)
      }),

    async sizeOf(key) {
      const head = client.send(new HeadObjectCommand(at(key)), withTimeout())
      return head.then(
        ({ ContentLength }) => ContentLength,
        (error) => {
          if (isMissing(error)) return undefined
          throw asUnavailable(error)
        },
      )
    },

    async *list(inFolder) {
      let ContinuationToken: string | undefined
      do {
        const Prefix = inFolder ? `${prefix}/${inFolder}/` : `${prefix}/`
        const input = { Bucket, Prefix, ...(ContinuationToken && { ContinuationToken }) }
        const page = await client.send(new ListObjectsV2Command(input), withTimeout())
        for (const { Key = '', LastModified } of page.Contents ?? [])
          yield { key: Key.slice(prefix.length + 1), writtenAt: LastModified?.getTime() ?? Date.now() }
        ContinuationToken = page.NextContinuationToken
      } while (ContinuationToken)
    },
  }
}

const isMissing = (error: unknown) => ['NoSuchKey', 'NotFound'].includes((error as Error).name)

/** Hides the store's error from users; it is logged as the cause. */
function asUnavailable(error: unknown) {
  return error instanceof AppError ? error : storageUnavailable(error)
}
