import { io } from 'socket.io-client'
import { retryDelay } from '#contract/retry-delay'
import { bearer, renewBearer, tokenLife } from '../session/session.ts'
import type { Idleness } from './idle.ts'
import type { ChatSocket } from './socket-context.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS

/** The longest delay between two attempts, even in a hidden page. */
const MAX_DELAY_MS = 30 * SECOND_MS
/** The first delay in a hidden page, to spare battery and server. */
const HIDDEN_DELAY_MS = 8 * SECOND_MS
/** Showing a page fires two events in a row. */
const SHOWN_DELAY_MS = 100

const isHidden = () => document.visibilityState === 'hidden'
const firstDelay = () => (isHidden() ? HIDDEN_DELAY_MS : SECOND_MS)

/** A socket with the specification's settings: polling first, five attempts 1 s to 30 s apart, 10 s for each. */
export const createSocket = ({ isIdle }: Pick<Idleness, 'isIdle'>): ChatSocket =>
  io({
    autoConnect: false,
    transports: ['polling', 'websocket'],
    reconnectionAttempts: 5,
    reconnectionDelay: firstDelay(),
    reconnectionDelayMax: MAX_DELAY_MS,
    timeout: 10 * SECOND_MS,
    auth: (authenticate) => {
      // A token about to expire would open a socket about to be closed.
      const token = tokenLife() > MINUTE_MS ? bearer() : renewBearer()
      token.then(
        (text) => authenticate({ token: text, isIdle: isIdle() }),
        () => authenticate({}),
      )
    },
  })

/**
 * Connects, and reconnects until the returned function is called: at once if the page is visible or the token expired,
 * otherwise with growing delays. It never gives up. Reports presence with each connection, and when idleness changes.
 */
export function keepConnected(socket: ChatSocket, { isIdle, watch }: Pick<Idleness, 'isIdle' | 'watch'>) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let connectedAt = 0

  const reportPresence = () => socket.emit('status:update', isIdle() ? 'idle' : 'online')

  function connect() {
    clearTimeout(timer)
    // Starts at once, and resets the library's count of attempts.
    if (socket.disconnected) socket.disconnect().connect()
    // If the connection died while the device slept, this detects it.
    else reportPresence()
  }
  function connectAfter(ms: number) {
    clearTimeout(timer)
    timer = setTimeout(connect, ms)
  }
  function connectLater() {
    connectAfter(retryDelay(++failures, { firstMs: firstDelay(), maxMs: MAX_DELAY_MS }))
  }
  /** The network may be back. Hidden pages wait a random time, because a whole office returns at once. */
  function connectSoon() {
    if (isHidden()) connectAfter(Math.random() * HIDDEN_DELAY_MS)
    else connect()
  }
  function onVisibility() {
    socket.io.reconnectionDelay(firstDelay())
    if (!isHidden()) connectAfter(SHOWN_DELAY_MS)
  }

  socket.on('connect', () => {
    connectedAt = Date.now()
    reportPresence()
  })
  // The library reconnects on its own, unless the server ended or refused the connection.
  socket.on('disconnect', (reason) => {
    if (Date.now() - connectedAt > MINUTE_MS) failures = 0
    if (reason === 'io server disconnect') connectLater()
  })
  socket.on('connect_error', ({ message }) => {
    // Nodes reject each other's polling requests, and some networks WebSockets. Retry with the other transport first.
    if (socket.active) return void socket.io.opts.transports?.reverse()
    // If the session ended, the renewal notices it.
    if (message === 'unauthenticated') renewBearer().then(connectLater, connectLater)
    else connectLater()
  })
  // The page has renewed its token minutes before, unless it was frozen.
  socket.on('auth:token_expired', () => {
    if (tokenLife() > MINUTE_MS) socket.disconnect().connect()
    else renewBearer().then(connect, connectLater)
  })
  // The library has given up.
  socket.io.on('reconnect_failed', () => connectAfter(retryDelay(1, { firstMs: MAX_DELAY_MS, maxMs: MAX_DELAY_MS })))
  const unwatch = watch(() => {
    if (!socket.disconnected) reportPresence()
  })
  window.addEventListener('online', connectSoon)
  window.addEventListener('focus', onVisibility)
  document.addEventListener('visibilitychange', onVisibility)
  // The browser froze the hidden page.
  document.addEventListener('resume', connectSoon)
  socket.connect()
  return () => {
    clearTimeout(timer)
    unwatch()
    window.removeEventListener('online', connectSoon)
    window.removeEventListener('focus', onVisibility)
    document.removeEventListener('visibilitychange', onVisibility)
    document.removeEventListener('resume', connectSoon)
    socket.off()
    socket.io.off('reconnect_failed')
    socket.disconnect()
  }
}
