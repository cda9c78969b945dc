import type { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import type { S3Config } from '../config/config.ts'
import { AppError, storageUnavailable } from '../errors.ts'
import type { Storage } from './storage.ts'

/** Limits of S3. */
const MIN_PART_BYTES = 5 * 1024 * 1024
const MAX_PARTS = 10_000
const READ_TIMEOUT_MS = 4_000
/** For one part. */
const WRITE_TIMEOUT_MS = 30_000

/** Files in an S3-compatible bucket, below one prefix. One part of each upload is held in memory. */
export function openBucket(config: S3Config, prefix: string, maxFileSize: number): Storage {
  const { bucket: Bucket } = config
  const client = new S3Client({
    region: config.region,
    ...(config.endpoint && { endpoint: config.endpoint }),
    forcePathStyle: true,
    credentials: { accessKeyId: config.accessKeyId, secretAccessKey: config.secretAccessKey },
    // The signature covers each body; not every store supports further checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 2,
  })
  const partSize = Math.max(MIN_PART_BYTES, Math.ceil(maxFileSize / MAX_PARTS))
  const at = (key: string) => ({ Bucket, Key: `${prefix}/${key}` })
  const withTimeout = () => ({ abortSignal: AbortSignal.timeout(WRITE_TIMEOUT_MS) })

  /** Uploads a stream: in one request if it is small, otherwise in parts. Returns its size. */
  async function send(key: string, bytes: Readable, begun: { UploadId?: string | undefined }): Promise<number> {
    const buffer = Buffer.allocUnsafeSlow(partSize)
    const parts: { ETag: string | undefined; PartNumber: number }[] = []
    let filled = 0
    let size = 0
    const sendPart = async () => {
      begun.UploadId ??= (await client.send(new CreateMultipartUploadCommand(at(key)), withTimeout())).UploadId
      const PartNumber = parts.length + 1
      const part = { ...at(key), ...begun, PartNumber, Body: buffer.subarray(0, filled) }
      const { ETag } = await client.send(
        new UploadPartCommand(part as typeof part & { UploadId: string }),
        withTimeout(),
      )
      parts.push({ ETag, PartNumber })
      filled = 0
    }
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      for (let from = 0; from < chunk.length; ) {
        const copied = chunk.copy(buffer, filled, from)
        from += copied
        filled += copied
        size += copied
        if (filled === buffer.length) await sendPart()
      }
    }
    if (parts.length === 0) {
      await client.send(new PutObjectCommand({ ...at(key), Body: buffer.subarray(0, filled) }), withTimeout())
      return size
    }
    if (filled > 0) await sendPart()
    const whole = { ...at(key), UploadId: begun.UploadId, MultipartUpload: { Parts: parts } }
    await client.send(new CompleteMultipartUploadCommand(whole), withTimeout())
    return size
  }

  /** Parts of an incomplete upload are not listed as objects, but take up space. */
  async function abort(key: string, UploadId: string | undefined) {
    if (UploadId) await client.send(new AbortMultipartUploadCommand({ ...at(key), UploadId }), withTimeout())
  }

  async function abortAll(key: string) {
    const { Uploads = [] } = await client
      .send(new ListMultipartUploadsCommand({ Bucket, Prefix: at(key).Key }), withTimeout())
      // Some stores do not list them, and expire them by a rule.
      .catch(() => ({ Uploads: [] }))
    for (const { UploadId } of Uploads) await abort(key, UploadId).catch(() => {})
  }

  async function remove(keys: string[]) {
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
    async write(key, bytes) {
      const begun: { UploadId?: string } = {}
      try {
        const size = await send(key, bytes, begun)
        const { ContentLength } = await client.send(new HeadObjectCommand(at(key)), withTimeout())
        if (ContentLength !== size) throw storageUnavailable(`${ContentLength} of ${size} bytes were stored`)
      } catch (error) {
        bytes.destroy()
        await abort(key, begun.UploadId).catch(() => {})
        await remove([key]).catch(() => {})
        throw bytes.errored ?? asUnavailable(error)
      }
    },

    async read(key, size, range) {
      const timeout = new AbortController()
      const timer = setTimeout(() => timeout.abort(), READ_TIMEOUT_MS)
      try {
        const input = { ...at(key), ...(range && { Range: `bytes=${range.start}-${range.end}` }) }
        const { Body, ContentLength } = await client.send(new GetObjectCommand(input), { abortSignal: timeout.signal })
        const bytes = Body as Readable
        if (ContentLength === (range ? range.end - range.start + 1 : size)) return bytes
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

/** Hides the store's error from users; the log gets it as the cause. */
function asUnavailable(error: unknown) {
  return error instanceof AppError ? error : storageUnavailable(error)
}
