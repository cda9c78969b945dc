import { io } from 'socket.io-client'
import { bearer, renewBearer, tokenLife } from './session.ts'
import type { ChatSocket } from './socket.ts'

const SECOND = 1000

/** A socket with the specification's numbers: polling first, five attempts 1 s to 30 s apart, 10 s for each. */
export const createSocket = (): ChatSocket =>
  io({
    autoConnect: false,
    transports: ['polling', 'websocket'],
    reconnectionAttempts: 5,
    reconnectionDelay: SECOND,
    reconnectionDelayMax: 30 * SECOND,
    timeout: 10 * SECOND,
    auth: (give) => {
      // A token about to expire would only open a socket about to be closed.
      const token = tokenLife() > 60 * SECOND ? bearer() : renewBearer()
      token.then(
        (text) => give({ token: text }),
        () => give({}),
      )
    },
  })

/** Connects, and again whenever there is a reason to believe in it, until the answered function is called. */
export function keepConnected(socket: ChatSocket) {
  let timer: ReturnType<typeof setTimeout>
  const again = () => {
    // Starts at once, and the count of attempts anew.
    if (socket.disconnected && document.visibilityState === 'visible') socket.disconnect().connect()
  }
  const after = (ms: number) => () => {
    clearTimeout(timer)
    timer = setTimeout(again, ms)
  }
  const soon = after(2 * SECOND)
  // What the server ended or refused is not tried again by the library.
  socket.on('disconnect', (reason) => {
    if (reason === 'io server disconnect') soon()
  })
  socket.on('connect_error', ({ message }) => {
    // The end of the session itself is noticed by the renewal.
    if (message === 'unauthenticated') renewBearer().then(soon, soon)
    else if (message === 'unavailable' || message === 'rate_limited') soon()
  })
  socket.on('auth:token_expired', () => void renewBearer().then(again, soon))
  // The five attempts are used up, but somebody may be looking at the page.
  socket.io.on('reconnect_failed', after(30 * SECOND))
  window.addEventListener('online', again)
  window.addEventListener('focus', again)
  document.addEventListener('visibilitychange', again)
  socket.connect()
  return () => {
    clearTimeout(timer)
    window.removeEventListener('online', again)
    window.removeEventListener('focus', again)
    document.removeEventListener('visibilitychange', again)
    socket.off()
    socket.io.off('reconnect_failed')
    socket.disconnect()
  }
}
