import type { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { busy, uploadStalled } from '../errors.ts'
import type { Bounds } from '../limits/bounds.ts'
import { createPartSlots } from './part-slots.ts'
import { readPieces } from './piece-reader.ts'

/** Limits of S3. */
const MIN_PART_BYTES = 5 * 1024 * 1024
const MAX_PARTS = 10_000
/** Per part. */
const WRITE_TIMEOUT_MS = 30_000
/** Uploads smaller than this don't wait for a slot. */
const FREE_BYTES = 64 * 1024

export interface Begun {
  UploadId?: string | undefined
}

export const withTimeout = () => ({ abortSignal: AbortSignal.timeout(WRITE_TIMEOUT_MS) })

/**
 * Uploads to a bucket, which takes large files in parts. Only a few parts are in memory at a time; other uploads are not read
 * until it is their turn.
 */
export function createUploads(
  client: S3Client,
  at: (key: string) => { Bucket: string; Key: string },
  maxFileSize: number,
  limits: Bounds['uploadParts'],
) {
  const partSize = Math.max(MIN_PART_BYTES, Math.ceil(maxFileSize / MAX_PARTS))
  const total = Math.max(2, Math.floor(limits.bytes / partSize))
  const slots = createPartSlots({ total, perUser: limits.perUser })

  /** Uploads a stream, in one request if it is small, otherwise in parts. Returns its size. */
  async function send(key: string, bytes: Readable, uploader: string | undefined, begun: Begun): Promise<number> {
    const pieces = readPieces(bytes)
    const first = Buffer.allocUnsafeSlow(FREE_BYTES)
    let filled = await pieces.read(first, 0)
    if (filled < FREE_BYTES) {
      await putWhole(key, first.subarray(0, filled))
      return filled
    }
    const parts: { ETag: string | undefined; PartNumber: number }[] = []
    const sendNext = async () => {
      const part = Buffer.allocUnsafeSlow(partSize)
      const from = parts.length === 0 ? first.copy(part) : 0
      filled = await unlessSlow(bytes, uploader, pieces, () => pieces.read(part, from))
      const body = part.subarray(0, filled)
      if (parts.length === 0 && filled < partSize) await putWhole(key, body)
      else if (filled > 0) parts.push(await sendPart(key, begun, parts.length + 1, body))
    }
    do await inTurn(bytes, uploader, key, sendNext)
    while (filled === partSize)
    if (parts.length > 0) {
      const whole = { ...at(key), UploadId: begun.UploadId, MultipartUpload: { Parts: parts } }
      await client.send(new CompleteMultipartUploadCommand(whole), withTimeout())
    }
    return pieces.size()
  }

  /** Waits for a slot for another part, unless the stream ends first. @throws AppError 503 if it takes too long */
  async function inTurn(bytes: Readable, uploader: string | undefined, key: string, work: () => Promise<void>) {
    const waiting = new AbortController()
    // Streams also close after they were read to the end.
    const onClose = () => bytes.readableEnded || waiting.abort(bytes.errored ?? new Error('The stream was closed'))
    const giveUp = () => waiting.abort(busy('too many uploads at once'))
    const timer = uploader === undefined ? undefined : setTimeout(giveUp, limits.waitMs)
    bytes.once('close', onClose)
    const stopWaiting = () => {
      clearTimeout(timer)
      bytes.off('close', onClose)
    }
    const begin = () => {
      stopWaiting()
      return work()
    }
    await slots.run(uploader ?? key, waiting.signal, begin).finally(stopWaiting)
  }

  /** Aborts an upload that is too slow while others wait. */
  async function unlessSlow<T>(
    bytes: Readable,
    uploader: string | undefined,
    { size }: Pick<ReturnType<typeof readPieces>, 'size'>,
    work: () => Promise<T>,
  ): Promise<T> {
    if (uploader === undefined) return work()
    let before = size()
    const check = () => {
      if (slots.isFull() && size() - before < limits.minBytes) bytes.destroy(uploadStalled())
      before = size()
    }
    const timer = setInterval(check, limits.checkMs)
    return work().finally(() => clearInterval(timer))
  }

  const putWhole = (key: string, Body: Buffer) => client.send(new PutObjectCommand({ ...at(key), Body }), withTimeout())

  async function sendPart(key: string, begun: Begun, PartNumber: number, Body: Buffer) {
    begun.UploadId ??= (await client.send(new CreateMultipartUploadCommand(at(key)), withTimeout())).UploadId
    const part = { ...at(key), UploadId: begun.UploadId, PartNumber, Body }
    const { ETag } = await client.send(new UploadPartCommand(part), withTimeout())
    return { ETag, PartNumber }
  }

  /** Parts of incomplete uploads are not listed as objects, but take up space. */
  async function abort(key: string, UploadId: string | undefined) {
    if (UploadId) await client.send(new AbortMultipartUploadCommand({ ...at(key), UploadId }), withTimeout())
  }

  return { send, abort }
}
