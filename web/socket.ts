import { createContext, useContext } from 'react'
import type { Socket } from 'socket.io-client'
import type { ClientEvents, ServerEvents } from '#contract/events'
import { bearer, renewBearer, tokenLife } from './session.ts'

export type ChatSocket = Socket<ServerEvents, ClientEvents>

export const SocketContext = createContext<ChatSocket | undefined>(undefined)

/** The live connection; undefined until its code has come. */
export const useSocket = () => useContext(SocketContext)

const SECOND = 1000

/** Connects with the specification's numbers: polling first, five attempts 1 s to 30 s apart, 10 s for each. */
export async function openSocket(): Promise<ChatSocket> {
  // Its code is not needed before the first message is on screen.
  const { io } = await import('socket.io-client')
  const socket: ChatSocket = io({
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
  // Once the attempts are used up, or the server closed the socket, it takes a reason to believe in another one.
  const again = () => {
    if (socket.disconnected && !socket.active && document.visibilityState === 'visible') socket.connect()
  }
  socket.on('auth:token_expired', () => void renewBearer().then(again, again))
  socket.on('disconnect', (reason) => {
    if (reason === 'io server disconnect') setTimeout(again, SECOND)
  })
  socket.on('connect_error', ({ message }) => {
    if (message === 'unauthenticated') void renewBearer().then(again, () => {})
    else if (message === 'unavailable') setTimeout(again, 2 * SECOND)
  })
  window.addEventListener('online', again)
  window.addEventListener('focus', again)
  document.addEventListener('visibilitychange', again)
  const close = socket.close.bind(socket)
  socket.close = () => {
    window.removeEventListener('online', again)
    window.removeEventListener('focus', again)
    document.removeEventListener('visibilitychange', again)
    return close()
  }
  return socket
}
