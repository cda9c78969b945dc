import { focusManager, QueryClient } from '@tanstack/react-query'
import type { AnyEndpoint, CallOf, ReplyOf } from '#contract/endpoint'
import type { ErrorCode, ErrorReply } from '#contract/errors'
import { bearer, endSession, renewBearer, sessionUserId } from '../session/session.ts'

/** An answer that is not a success. `message` is the catalogue's text; `reason` is the server's sentence for a person. */
export class ApiError extends Error {
  readonly status: number
  readonly code: ErrorCode | undefined
  readonly reason: string | undefined
  readonly fields: Record<string, string>
  /** Milliseconds after which the server asks to try again. */
  readonly retryAfter: number | undefined

  constructor(status: number, reply?: ErrorReply, retryAfter?: number) {
    super(`API Error: ${status}`)
    this.status = status
    this.code = reply?.error.code
    this.reason = reply?.error.message
    this.fields = reply?.error.fields ?? {}
    this.retryAfter = retryAfter
  }
}

/** Milliseconds until a call without an answer is given up: longer than the server waits for its database. */
const REQUEST_TIMEOUT_MS = 15_000

/**
 * Makes a call of the contract with the bearer token. After a 401 it asks for a fresh token and repeats once; after a
 * second one the session is over. The signal calls it off.
 * @throws ApiError for an answer that is not a success; TypeError or a TimeoutError where there was no answer.
 */
export async function call<E extends AnyEndpoint>(e: E, input: CallOf<E>, signal?: AbortSignal): Promise<ReplyOf<E>> {
  const response = await fetchResponse(e, input, { signal })
  const text = await response.text()
  return (text === '' ? undefined : JSON.parse(text)) as ReplyOf<E>
}

interface RequestOptions {
  signal?: AbortSignal | undefined
  /** Milliseconds. */
  patience?: number
  /** It goes on where the page goes away. For small bodies: of all of these at once a browser sends 64 KB. */
  keepalive?: boolean
}

/** The answer of a call, not read yet: for those that are no JSON, and those whose headers say something. */
export async function fetchResponse<E extends AnyEndpoint>(
  e: E,
  input: CallOf<E>,
  { signal, patience = REQUEST_TIMEOUT_MS, keepalive = false }: RequestOptions = {},
): Promise<Response> {
  const speaker = sessionUserId()
  const ask = (token: string) => {
    // The token came late, and somebody else has signed in: what one person asked is never asked as another.
    if (sessionUserId() !== speaker) throw new Error('Somebody else has signed in')
    const timeout = AbortSignal.timeout(patience)
    const ends = signal ? AbortSignal.any([signal, timeout]) : timeout
    return request(e, input as Input, token, { signal: ends, keepalive })
  }
  let response = await ask(await bearer())
  if (response.status === 401) response = await ask(await renewBearer())
  if (response.status === 401) endSession()
  if (!response.ok) throw await errorOf(response)
  return response
}

interface Input {
  params?: Record<string, string>
  query?: Record<string, string | number | undefined>
  body?: unknown
}

function request(e: AnyEndpoint, { params = {}, query = {}, body }: Input, token: string, init: RequestInit) {
  const path = e.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  return fetch(search.size > 0 ? `${path}?${search}` : path, {
    method: e.method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...init,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

async function errorOf(response: Response) {
  const seconds = Number(response.headers.get('retry-after'))
  // A proxy in between may answer with a page of its own.
  const reply = (await response.json().catch(() => undefined)) as ErrorReply | undefined
  // A proxy whose server is away may answer 404; the server's own names a code.
  const status = response.status === 404 && !reply?.error ? 503 : response.status
  return new ApiError(status, reply?.error ? reply : undefined, seconds > 0 ? seconds * 1000 : undefined)
}

const MINUTE_MS = 60_000

/** Client errors that may not occur again: the request took too long, or came too soon. */
const RETRIABLE = [408, 429]

/** Whether asking again would be refused again. */
export const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status < 500 && !RETRIABLE.includes(error.status)

// What is asked for in a hidden page is retried there too: its title tells of what is unread.
focusManager.setFocused(true)

/** The specification's data policy, except that a refusal (4xx) is never asked again, and who asks too fast waits. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < 3 && !isRefusal(error),
      retryDelay: (failures, error) =>
        Math.max(error instanceof ApiError ? (error.retryAfter ?? 0) : 0, Math.min(1000 * 2 ** failures, 30_000)),
      gcTime: 5 * MINUTE_MS,
      staleTime: 5 * MINUTE_MS,
      refetchOnWindowFocus: false,
    },
  },
})
