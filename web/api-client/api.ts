import { focusManager, QueryClient } from '@tanstack/react-query'
import type { AnyEndpoint, CallOf, ReplyOf } from '#contract/endpoint'
import type { ErrorCode, ErrorReply } from '#contract/errors'
import { retryDelay } from '#contract/retry-delay'
import { bearer, markRefused, renewBearer, restartSession, sessionUserId } from '../session/session.ts'

/** An error response. `message` is the specification's text; `failure-text.ts` has the texts for people. */
export class ApiError extends Error {
  readonly status: number
  readonly code: ErrorCode | undefined
  readonly reply: ErrorReply['error'] | undefined
  /** From `Retry-After`. */
  readonly retryAfterMs: number | undefined

  constructor(status: number, reply?: ErrorReply, retryAfterMs?: number) {
    super(`API Error: ${status}`)
    this.status = status
    this.code = reply?.error.code
    this.reply = reply?.error
    this.retryAfterMs = retryAfterMs
  }
}

/** Longer than the server waits for its database. */
const REQUEST_TIMEOUT_MS = 15_000

/**
 * Makes a call of the contract with the bearer token. After a 401 it fetches a new token and repeats once; after a
 * second 401 the session is over, and the page asks to sign in.
 * @throws ApiError for an error response; TypeError or a TimeoutError without one
 */
export async function call<E extends AnyEndpoint>(e: E, input: CallOf<E>, signal?: AbortSignal): Promise<ReplyOf<E>> {
  const response = await fetchResponse(e, input, { signal })
  const text = await response.text()
  return (text === '' ? undefined : JSON.parse(text)) as ReplyOf<E>
}

interface RequestOptions {
  signal?: AbortSignal | undefined
  timeoutMs?: number
  /** The request outlives the page. Only for small bodies: a browser allows 64 KB for all such requests together. */
  keepalive?: boolean
}

/** The raw response of a call: for bodies that are not JSON, and for headers. */
export async function fetchResponse<E extends AnyEndpoint>(
  e: E,
  input: CallOf<E>,
  { signal, timeoutMs = REQUEST_TIMEOUT_MS, keepalive = false }: RequestOptions = {},
): Promise<Response> {
  const user = sessionUserId()
  const send = (token: string) => {
    // Another user may have signed in while the token was fetched: requests never change their user.
    if (sessionUserId() !== user) throw new Error('Another user has signed in')
    const timeout = AbortSignal.timeout(timeoutMs)
    const abort = signal ? AbortSignal.any([signal, timeout]) : timeout
    return request(e, input as Input, token, { signal: abort, keepalive })
  }
  let response = await send(await bearer())
  if (response.status === 401) {
    const renewed = await renewBearer()
    response = await send(renewed)
    if (response.status === 401) markRefused(renewed)
  }
  if (response.ok) return response
  const error = await errorOf(response)
  // The token is from before a second factor was set up, or before it was demanded.
  if (error.code === 'second_factor_needed') restartSession()
  throw error
}

interface Input {
  params?: Record<string, string>
  query?: Record<string, string | number | undefined>
  body?: unknown
}

function request(e: AnyEndpoint, { params = {}, query = {}, body }: Input, token: string, init: RequestInit) {
  const path = e.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const isForm = body instanceof FormData
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  return fetch(search.size > 0 ? `${path}?${search}` : path, {
    method: e.method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
    },
    ...init,
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  })
}

async function errorOf(response: Response) {
  const seconds = Number(response.headers.get('retry-after'))
  // A proxy may answer with an HTML page.
  const reply = (await response.json().catch(() => undefined)) as ErrorReply | undefined
  // A proxy may answer 404 when its server is down; a 404 of the server has a code.
  const status = response.status === 404 && !reply?.error ? 503 : response.status
  return new ApiError(status, reply?.error ? reply : undefined, seconds > 0 ? seconds * 1000 : undefined)
}

const MINUTE_MS = 60_000
const RETRY = { firstMs: 1000, maxMs: 30_000 }

/** Client errors worth a retry: request timeout and too many requests. */
const RETRIABLE = [408, 429]

/** Whether the server would refuse the same request again. */
export const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status < 500 && !RETRIABLE.includes(error.status)

// Hidden pages retry as well, because the title shows the unread count.
focusManager.setFocused(true)

/** The specification's data policy, except that refusals are not retried, and `Retry-After` is respected. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < 3 && !isRefusal(error),
      retryDelay: (failures, error) =>
        Math.max(error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0, retryDelay(failures + 1, RETRY)),
      gcTime: 5 * MINUTE_MS,
      staleTime: 5 * MINUTE_MS,
      refetchOnWindowFocus: false,
    },
  },
})
