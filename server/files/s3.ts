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

/** The least that S3 takes as a part, and how many parts a file may have. */
const PART = 5 * 1024 * 1024
const PARTS = 10_000
/** Milliseconds until a reader, and a writer of one part, is told that the store does not answer. */
const READ_PATIENCE = 4_000
const WRITE_PATIENCE = 30_000

/** Files in a bucket of any store that speaks S3, all below one prefix. One part of each upload is held in memory. */
export function openBucket(config: S3Config, prefix: string, maxFileSize: number): Storage {
  const { bucket: Bucket } = config
  const client = new S3Client({
    region: config.region,
    ...(config.endpoint && { endpoint: config.endpoint }),
    forcePathStyle: true,
    credentials: { accessKeyId: config.accessKeyId, secretAccessKey: config.secretAccessKey },
    // The signature covers each body; more checksums are not known to every store.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 2,
  })
  const partSize = Math.max(PART, Math.ceil(maxFileSize / PARTS))
  const at = (key: string) => ({ Bucket, Key: `${prefix}/${key}` })
  const inTime = () => ({ abortSignal: AbortSignal.timeout(WRITE_PATIENCE) })

  /** Sends what a stream brings: in one go where it is small, else in parts. Answers its bytes. */
  async function send(key: string, bytes: Readable, begun: { UploadId?: string | undefined }): Promise<number> {
    const buffer = Buffer.allocUnsafeSlow(partSize)
    const parts: { ETag: string | undefined; PartNumber: number }[] = []
    let filled = 0
    let size = 0
    const sendPart = async () => {
      begun.UploadId ??= (await client.send(new CreateMultipartUploadCommand(at(key)), inTime())).UploadId
      const PartNumber = parts.length + 1
      const part = { ...at(key), ...begun, PartNumber, Body: buffer.subarray(0, filled) }
      const { ETag } = await client.send(new UploadPartCommand(part as typeof part & { UploadId: string }), inTime())
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
      await client.send(new PutObjectCommand({ ...at(key), Body: buffer.subarray(0, filled) }), inTime())
      return size
    }
    if (filled > 0) await sendPart()
    const whole = { ...at(key), UploadId: begun.UploadId, MultipartUpload: { Parts: parts } }
    await client.send(new CompleteMultipartUploadCommand(whole), inTime())
    return size
  }

  /** Parts of an upload that was never completed are nowhere listed as objects, and cost space all the same. */
  async function abort(key: string, UploadId: string | undefined) {
    if (UploadId) await client.send(new AbortMultipartUploadCommand({ ...at(key), UploadId }), inTime())
  }

  async function abortAll(key: string) {
    const { Uploads = [] } = await client
      .send(new ListMultipartUploadsCommand({ Bucket, Prefix: at(key).Key }), inTime())
      // Some stores do not list them; they have a rule for their age.
      .catch(() => ({ Uploads: [] }))
    for (const { UploadId } of Uploads) await abort(key, UploadId).catch(() => {})
  }

  async function remove(keys: string[]) {
    for (const key of keys) await abortAll(key)
    const Objects = keys.map((key) => ({ Key: at(key).Key }))
    const { Errors = [] } = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }), inTime())
    if (Errors.length > 0) throw storageUnavailable()
  }

  return {
    async write(key, bytes) {
      const begun: { UploadId?: string } = {}
      try {
        const size = await send(key, bytes, begun)
        const { ContentLength } = await client.send(new HeadObjectCommand(at(key)), inTime())
        if (ContentLength !== size) throw storageUnavailable()
      } catch (error) {
        bytes.destroy()
        await abort(key, begun.UploadId).catch(() => {})
        await remove([key]).catch(() => {})
        throw bytes.errored ?? toldAs(error)
      }
    },

    async read(key, size, range) {
      const patience = new AbortController()
      const timer = setTimeout(() => patience.abort(), READ_PATIENCE)
      try {
        const asked = { ...at(key), ...(range && { Range: `bytes=${range.start}-${range.end}` }) }
        const { Body, ContentLength } = await client.send(new GetObjectCommand(asked), { abortSignal: patience.signal })
        const bytes = Body as Readable
        if (ContentLength === (range ? range.end - range.start + 1 : size)) return bytes
        bytes.destroy()
        return undefined
      } catch (error) {
        if (isMissing(error)) return undefined
        throw toldAs(error)
      } finally {
        clearTimeout(timer)
      }
    },

    remove: (keys) =>
      remove(keys).catch((error) => {
        throw toldAs(error)
      }),

    async *list() {
      let ContinuationToken: string | undefined
      do {
        const asked = { Bucket, Prefix: `${prefix}/`, ...(ContinuationToken && { ContinuationToken }) }
        const page = await client.send(new ListObjectsV2Command(asked), inTime())
        for (const { Key = '', LastModified } of page.Contents ?? [])
          yield { key: Key.slice(prefix.length + 1), writtenAt: LastModified?.getTime() ?? Date.now() }
        ContinuationToken = page.NextContinuationToken
      } while (ContinuationToken)
    },
  }
}

const isMissing = (error: unknown) => ['NoSuchKey', 'NotFound'].includes((error as Error).name)

/** Whatever the store says, a person hears that it does not answer; the log gets its own words. */
function toldAs(error: unknown) {
  return error instanceof AppError ? error : Object.assign(storageUnavailable(), { cause: error })
}
