import type { ErrorReply } from '#contract/errors'
import { FIRST_LEVEL, type NotificationLevel } from '#contract/notification-rule'
import type { Me } from '#contract/users'
import { setMyKeywords } from '../cache/means-me.ts'
import { takeSecret } from '../ui/device/device-cache.ts'
import { claimDevice, isSignOutPending } from '../ui/device/local-storage.ts'
import { noteServerTime, serverNow, setServerTime } from '../ui/format/clock.ts'
import { onSharedToken, shareToken, type Token, withTokenLock } from './token-sharing.ts'

/** The details of an error response besides its code. */
export type ErrorReason = Partial<Omit<ErrorReply['error'], 'code'>>

/** An error response of the identity API, with its stable code. */
export class IdentityError extends Error {
  readonly status: number
  readonly code: string
  readonly reply: ErrorReason

  constructor(status: number, code: string, message: string, reply: ErrorReason = {}) {
    super(message)
    this.status = status
    this.code = code
    this.reply = reply
  }
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const REQUEST_TIMEOUT_MS = 15_000
/** The longest delay that `setTimeout` accepts; it fires at once for a longer one. */
const MAX_TIMER_MS = 2 ** 31 - 1

let sessionUser: string | undefined
let workspaceName: string | undefined
let notificationLevel: NotificationLevel | undefined
let token: Token | undefined
let renewal: Promise<string> | undefined
let timer: ReturnType<typeof setTimeout> | undefined
type EndListener = (refusedUser: string | undefined) => void
const endListeners = new Set<EndListener>()

/**
 * Sets the user of this page, and what their session says. Another user's token, received from another tab, is never used.
 */
export function setSessionUser(
  userId: string | undefined,
  session?: Pick<Me, 'workspaceName' | 'notificationLevel' | 'keywords'> | null,
) {
  workspaceName = session?.workspaceName
  notificationLevel = session?.notificationLevel
  // An older node doesn't know them.
  if (!session || session.keywords) void setMyKeywords(session?.keywords ?? [])
  if (token && token.userId !== userId) clearToken()
  sessionUser = userId
  const isOthers = userId !== undefined && claimDevice(userId)
  if (userId && !isOthers) return
  import('../ui/device/clear-storage.ts')
    .then(async ({ clearOthersData, clearSessionData }) => {
      if (userId) await clearOthersData(userId)
      else await clearSessionData()
    })
    .catch((error) => console.error('Failed to clear what is stored on this device:', error))
}

/** The user of this page. */
export const sessionUserId = () => sessionUser

/** What notifies them in channels for which they chose nothing else. */
export const sessionLevel = () => notificationLevel ?? FIRST_LEVEL

/**
 * Calls the listener when the session may have ended, become another user's, or changed its rights; with the id of its user if
 * the server refuses their tokens. Returns a function that unsubscribes.
 */
export function onSessionEnd(listener: EndListener) {
  endListeners.add(listener)
  return () => void endListeners.delete(listener)
}

/**
 * Call when the server refuses a token that was just fetched: even if the cookie is still valid, its user has to sign in
 * again. Tokens no longer in use are ignored.
 */
export function markRefused(refused: string) {
  if (token?.text !== refused) return
  const { userId } = token
  clearToken()
  for (const listener of endListeners) listener(userId)
}

/** Drops the token, which is from before the session got other rights. */
export function restartSession() {
  clearToken()
  recheckSession()
}

/** Call with the workspace's current name, which is part of the session. */
export function checkWorkspaceName(name: string) {
  if (name !== workspaceName) recheckSession()
}

/** Rechecks who is signed in, and with which role. */
export function recheckSession() {
  for (const listener of endListeners) listener(undefined)
}

/** The bearer token; fetches one if there is none, or it has expired. */
export async function bearer(): Promise<string> {
  return token && token.expiresAt > serverNow() ? token.text : renewBearer()
}

/** Milliseconds until the current token expires; 0 without one. */
export const tokenLife = () => (token ? token.expiresAt - serverNow() : 0)

/** Fetches a new token. Concurrent callers, in this tab and in others, share one request. */
export function renewBearer(): Promise<string> {
  const before = token
  onSharedToken(adoptToken)
  renewal ??= withTokenLock(async () => {
    const isRenewed = token && token !== before && tokenLife() > 5 * MINUTE_MS
    return isRenewed && token ? token.text : fetchToken()
  }).finally(() => {
    renewal = undefined
  })
  return renewal
}

/** Uses a token that another tab fetched. */
function adoptToken(fresh: Token) {
  if (fresh.userId !== sessionUser || fresh.expiresAt < (token?.expiresAt ?? 0)) return
  setServerTime(fresh.toldAt ?? Number.NaN)
  token = fresh
  scheduleRenewal(fresh)
}

async function fetchToken() {
  // The session may still exist, but its user has signed out.
  if (isSignOutPending()) throw new Error('Signed out')
  try {
    const { token: text } = await callIdentity<{ token: string }>('GET', '/token')
    const fresh = parseToken(text)
    if (fresh.userId !== sessionUser) throw new IdentityError(401, 'SOMEBODY_ELSE', 'Another user has signed in')
    token = fresh
    scheduleRenewal(fresh)
    shareToken({ ...fresh, toldAt: serverNow() })
    return text
  } catch (error) {
    // The identity API also answers 401 when its database fails; only a second request shows whether the session ended.
    const isUnsure = error instanceof IdentityError && error.status === 401 && sessionUser !== undefined
    if (isUnsure && (await fetchMe())?.id !== sessionUser) restartSession()
    throw error
  }
}

/** Five minutes before expiry, but at least a minute from now. */
function scheduleRenewal({ expiresAt }: Token) {
  clearTimeout(timer)
  timer = setTimeout(
    () => renewBearer().catch((error) => console.error('Token renewal failed:', error)),
    Math.min(Math.max(expiresAt - serverNow() - 5 * MINUTE_MS, MINUTE_MS), MAX_TIMER_MS),
  )
}

function parseToken(text: string): Token {
  const [, payload = ''] = text.split('.')
  const claims = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as { sub?: string; exp?: number }
  return { text, userId: claims.sub, expiresAt: claims.exp ? claims.exp * 1000 : serverNow() + HOUR_MS }
}

export function clearToken() {
  token = undefined
  clearTimeout(timer)
}

/** The user whose session this browser has; null without one, or after signing out offline. */
export async function fetchMe(): Promise<Me | null> {
  if (isSignOutPending()) return null
  const session = await callIdentity<{ user: Me } | null>('GET', '/get-session')
  takeSecret()
  return session?.user ?? null
}

/**
 * Calls the identity API.
 * @throws IdentityError for an error response; TypeError, SyntaxError or a TimeoutError without a valid one.
 */
export async function callIdentity<T>(
  method: 'GET' | 'POST',
  path: string,
  body?: object,
  /** Whether the request outlives the page. */
  keepalive = false,
): Promise<T> {
  const response = await fetch(`/api/auth${path}`, {
    method,
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    keepalive,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  noteServerTime(response.headers.get('date'))
  // Throws for the HTML page of a proxy or a captive portal.
  const reply = await response.json()
  if (!response.ok) throw identityError(response, reply)
  return reply as T
}

type Refusal = { code?: string } & ErrorReason

/** @param reply in the library's shape, or in that of all other calls if it was refused before reaching the library */
function identityError({ status, statusText }: Response, reply: (Refusal & { error?: Refusal }) | null) {
  const refusal = reply?.error ?? reply ?? {}
  return new IdentityError(status, refusal.code ?? '', refusal.message ?? statusText, refusal)
}
