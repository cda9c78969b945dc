import pLimit from 'p-limit'
import type { ErrorReply } from '#contract/errors'
import { type StoredFile, uploadFile } from '#contract/files'
import { bearer, endSession, renewBearer } from '../session/session.ts'
import { ApiError } from './api.ts'

export interface UploadOptions {
  /** The channel of the file; the public bucket by default. */
  channelId?: string
  /** The file belongs to a message not sent yet; only its uploader sees it. */
  forMessage?: boolean
  signal: AbortSignal
  /** From 0 to 1. */
  onProgress: (share: number) => void
}

/** How long an upload may make no progress. */
const STALL_TIMEOUT_MS = 60_000

/** Browsers allow six connections per server, and the rest of the page needs some. */
const limitUploads = pLimit(3)

/**
 * Uploads one file, streamed from disk.
 * @throws ApiError for an error response; TypeError without one; an AbortError when aborted
 */
export const upload = (file: File, options: UploadOptions): Promise<StoredFile> =>
  limitUploads(() => uploadNow(file, options))

async function uploadNow(file: File, options: UploadOptions) {
  let answer = await send(file, options, await bearer())
  if (answer.status === 401) answer = await send(file, options, await renewBearer())
  if (answer.status === 401) endSession()
  const body: unknown = answer.type === 'application/json' ? JSON.parse(answer.text) : undefined
  if (answer.status === 201) return body as StoredFile
  throw new ApiError(answer.status, (body as ErrorReply | undefined)?.error ? (body as ErrorReply) : undefined)
}

interface Answer {
  status: number
  type: string
  text: string
}

function send(file: File, { channelId, forMessage, signal, onProgress }: UploadOptions, token: string) {
  const form = new FormData()
  // The server reads the fields before the bytes.
  if (channelId) form.set('channelId', channelId)
  if (forMessage) form.set('forMessage', 'true')
  form.set('name', file.name)
  form.set('file', file)

  return new Promise<Answer>((resolve, reject) => {
    // fetch() reports no upload progress.
    const request = new XMLHttpRequest()
    let patience: ReturnType<typeof setTimeout>
    const wait = () => {
      clearTimeout(patience)
      patience = setTimeout(() => request.abort(), STALL_TIMEOUT_MS)
    }
    const callOff = () => request.abort()
    const end = () => {
      clearTimeout(patience)
      signal.removeEventListener('abort', callOff)
    }
    request.upload.onprogress = ({ loaded, total }) => {
      wait()
      onProgress(total > 0 ? loaded / total : 0)
    }
    request.onload = () => {
      end()
      const type = (request.getResponseHeader('content-type') ?? '').split(';', 1)[0] ?? ''
      resolve({ status: request.status, type, text: request.responseText })
    }
    request.onerror = request.onabort = () => {
      end()
      reject(signal.aborted ? new DOMException('Called off', 'AbortError') : new TypeError('Failed to fetch'))
    }
    if (signal.aborted) return reject(new DOMException('Called off', 'AbortError'))
    signal.addEventListener('abort', callOff)
    request.open(uploadFile.method, uploadFile.path)
    request.setRequestHeader('authorization', `Bearer ${token}`)
    wait()
    request.send(form)
  })
}
