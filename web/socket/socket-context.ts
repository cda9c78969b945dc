import { createContext, useContext } from 'react'
import type { Socket } from 'socket.io-client'
import type { ClientEvents, ServerEvents } from '#contract/events'

export type ChatSocket = Socket<ServerEvents, ClientEvents>

export const SocketContext = createContext<ChatSocket | undefined>(undefined)

/** The live connection; undefined until its code is loaded. */
export const useSocket = () => useContext(SocketContext)
