import pLimit from 'p-limit'
import type { ErrorReply } from '#contract/errors'
import { type StoredFile, uploadFile } from '#contract/files'
import { type Import, uploadImport } from '#contract/imports'
import { bearer, markRefused, renewBearer } from '../session/session.ts'
import { ApiError } from './api.ts'

interface SendOptions {
  signal: AbortSignal
  /** From 0 to 1. */
  onProgress: (share: number) => void
}

interface UploadOptions extends SendOptions {
  /** The channel of the file; the public bucket by default. */
  channelId?: string
  /** The file belongs to a message not sent yet; only its uploader sees it. */
  forMessage?: boolean
}

type Target = { method: string; path: string }

/** How long an upload may make no progress. */
const STALL_TIMEOUT_MS = 60_000
/** Browsers report every 50 to 100 ms how much was sent: the last bytes may be on the server before the page knows. */
const ABORT_DELAY_MS = 300

/** Browsers allow six connections per server, and the rest of the page needs some. */
const limitUploads = pLimit(3)

/**
 * Uploads one file, streamed from disk. Once all bytes are sent it is too late to abort, because the server stores the
 * file then; the call resolves anyway, and its caller has to delete the file.
 * @throws ApiError for an error response; TypeError without one; an AbortError when aborted
 */
export const sendFile = (file: File, options: UploadOptions): Promise<StoredFile> =>
  limitUploads(() => uploadNow(file, options))

/** Uploads an archive to import. @throws as `sendFile` does */
export function sendArchive(file: File, options: SendOptions): Promise<Import> {
  const form = new FormData()
  form.set('file', file)
  return sendSignedIn<Import>(uploadImport, form, options)
}

function uploadNow(file: File, { channelId, forMessage, ...options }: UploadOptions) {
  const form = new FormData()
  // The server reads the fields before the bytes.
  if (channelId) form.set('channelId', channelId)
  if (forMessage) form.set('forMessage', 'true')
  form.set('name', file.name)
  form.set('file', file)
  return sendSignedIn<StoredFile>(uploadFile, form, options)
}

async function sendSignedIn<Reply>(to: Target, form: FormData, options: SendOptions) {
  let response = await send(to, form, options, await bearer())
  if (response.status === 401) {
    const renewed = await renewBearer()
    response = await send(to, form, options, renewed)
    if (response.status === 401) markRefused(renewed)
  }
  const body: unknown = response.type === 'application/json' ? JSON.parse(response.text) : undefined
  if (response.status === 201) return body as Reply
  throw new ApiError(response.status, (body as ErrorReply | undefined)?.error ? (body as ErrorReply) : undefined)
}

interface UploadResponse {
  status: number
  type: string
  text: string
}

function send({ method, path }: Target, form: FormData, { signal, onProgress }: SendOptions, token: string) {
  return new Promise<UploadResponse>((resolve, reject) => {
    // fetch() reports no upload progress.
    const request = new XMLHttpRequest()
    let stallTimer: ReturnType<typeof setTimeout>
    const restartTimer = () => {
      clearTimeout(stallTimer)
      stallTimer = setTimeout(() => request.abort(), STALL_TIMEOUT_MS)
    }
    let isSent = false
    let abortTimer: ReturnType<typeof setTimeout>
    const abort = () => {
      abortTimer = setTimeout(() => isSent || request.abort(), ABORT_DELAY_MS)
    }
    const cleanUp = () => {
      clearTimeout(stallTimer)
      clearTimeout(abortTimer)
      signal.removeEventListener('abort', abort)
    }
    request.upload.onprogress = ({ loaded, total }) => {
      restartTimer()
      onProgress(total > 0 ? loaded / total : 0)
    }
    request.upload.onload = () => {
      isSent = true
    }
    request.onload = () => {
      cleanUp()
      const type = (request.getResponseHeader('content-type') ?? '').split(';', 1)[0] ?? ''
      resolve({ status: request.status, type, text: request.responseText })
    }
    request.onerror = request.onabort = () => {
      cleanUp()
      reject(signal.aborted ? new DOMException('Called off', 'AbortError') : new TypeError('Failed to fetch'))
    }
    if (signal.aborted) return reject(new DOMException('Called off', 'AbortError'))
    signal.addEventListener('abort', abort)
    request.open(method, path)
    request.setRequestHeader('authorization', `Bearer ${token}`)
    restartTimer()
    request.send(form)
  })
}
