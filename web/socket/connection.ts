import { io } from 'socket.io-client'
import { bearer, renewBearer, tokenLife } from '../session/session.ts'
import type { ChatSocket } from './socket-context.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS

/** The longest time between two attempts: also a hidden page is back within a minute of the network. */
const MAX_DELAY_MS = 30 * SECOND_MS
/** The time before the second attempt. Nobody waits at a hidden page, which spares battery and server. */
const HIDDEN_DELAY_MS = 8 * SECOND_MS
/** A page that is shown again says so by two events, one shortly after the other. */
const SHOWN_DELAY_MS = 100

const isHidden = () => document.visibilityState === 'hidden'
const firstDelay = () => (isHidden() ? HIDDEN_DELAY_MS : SECOND_MS)
/** Somewhat sooner or later, so that those who lost the connection together do not come back together. */
const jittered = (ms: number) => ms * (0.5 + Math.random())

/** A socket with the specification's numbers: polling first, five attempts 1 s to 30 s apart, 10 s for each. */
export const createSocket = (): ChatSocket =>
  io({
    autoConnect: false,
    transports: ['polling', 'websocket'],
    reconnectionAttempts: 5,
    reconnectionDelay: firstDelay(),
    reconnectionDelayMax: MAX_DELAY_MS,
    timeout: 10 * SECOND_MS,
    auth: (give) => {
      // A token about to expire would only open a socket about to be closed.
      const token = tokenLife() > MINUTE_MS ? bearer() : renewBearer()
      token.then(
        (text) => give({ token: text }),
        () => give({}),
      )
    },
  })

/**
 * Connects, and again whenever the connection is lost, until the answered function is called: at once where somebody
 * looks at the page or the token expired, else after a delay that grows. It never gives up, in a hidden page neither.
 */
export function keepConnected(socket: ChatSocket) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let connectedAt = 0

  function connect() {
    clearTimeout(timer)
    // Starts at once, and the count of attempts anew.
    if (socket.disconnected) socket.disconnect().connect()
    // Says that somebody is here; where the connection died unnoticed, while the device slept, this notices it.
    else socket.emit('status:update', 'online')
  }
  function connectAfter(ms: number) {
    clearTimeout(timer)
    timer = setTimeout(connect, ms)
  }
  function connectLater() {
    connectAfter(jittered(Math.min(firstDelay() * 2 ** failures++, MAX_DELAY_MS)))
  }
  /** There is a reason to believe in it: but with the network all hidden pages of an office are back at once. */
  function connectSoon() {
    if (isHidden()) connectAfter(Math.random() * HIDDEN_DELAY_MS)
    else connect()
  }
  function follow() {
    socket.io.reconnectionDelay(firstDelay())
    if (!isHidden()) connectAfter(SHOWN_DELAY_MS)
  }

  socket.on('connect', () => {
    connectedAt = Date.now()
    socket.emit('status:update', 'online')
  })
  // The library tries again by itself, but not where the server ended or refused the connection.
  socket.on('disconnect', (reason) => {
    if (Date.now() - connectedAt > MINUTE_MS) failures = 0
    if (reason === 'io server disconnect') connectLater()
  })
  socket.on('connect_error', ({ message }) => {
    if (socket.active) return
    // The end of the session itself is noticed by the renewal.
    if (message === 'unauthenticated') renewBearer().then(connectLater, connectLater)
    else connectLater()
  })
  socket.on('auth:token_expired', () => void renewBearer().then(connect, connectLater))
  // The library has used up its attempts.
  socket.io.on('reconnect_failed', () => connectAfter(jittered(MAX_DELAY_MS)))
  window.addEventListener('online', connectSoon)
  window.addEventListener('focus', follow)
  document.addEventListener('visibilitychange', follow)
  // After the browser let a hidden page sleep.
  document.addEventListener('resume', connectSoon)
  socket.connect()
  return () => {
    clearTimeout(timer)
    window.removeEventListener('online', connectSoon)
    window.removeEventListener('focus', follow)
    document.removeEventListener('visibilitychange', follow)
    document.removeEventListener('resume', connectSoon)
    socket.off()
    socket.io.off('reconnect_failed')
    socket.disconnect()
  }
}
