import { useEffect, useRef } from 'react'
import { type ChatSocket, useSocket } from './socket-context.ts'

const REPLY_TIMEOUT_MS = 5000

interface PendingRequest {
  action: 'join' | 'leave'
  channelId: string
  timer: ReturnType<typeof setTimeout>
  settle: (error?: Error) => void
}

type Subscriptions = ReturnType<typeof createSubscriptions>
const subscriptions = new WeakMap<ChatSocket, Subscriptions>()

/** The subscriptions of a socket. */
function subscriptionsOf(socket: ChatSocket): Subscriptions {
  const existing = subscriptions.get(socket) ?? createSubscriptions(socket)
  subscriptions.set(socket, existing)
  return existing
}

/** The server did not reply in time. */
export class SubscriptionTimeout extends Error {
  readonly action: PendingRequest['action']

  constructor(action: PendingRequest['action']) {
    super(`Channel ${action} timeout`)
    this.action = action
  }
}

/** Joins and leaves channels, and waits for the server's reply to each; it replies in order. */
export function createSubscriptions(socket: ChatSocket) {
  const pending: PendingRequest[] = []
  const watchers = new Set<(channelId: string) => void>()

  function send(action: PendingRequest['action'], channelId: string) {
    return new Promise<void>((resolve, reject) => {
      const settle = (error?: Error) => (error ? reject(error) : resolve())
      const timer = setTimeout(settle, REPLY_TIMEOUT_MS, new SubscriptionTimeout(action))
      pending.push({ action, channelId, timer, settle })
      socket.emit(`channel:${action}`, channelId)
    })
  }

  /** Whether this settled a pending request. */
  function confirm(action: PendingRequest['action'], channelId: string) {
    const index = pending.findIndex((request) => request.action === action && request.channelId === channelId)
    if (index >= 0) finish(pending.splice(index, 1)[0])
    return index >= 0
  }

  function finish(request: PendingRequest | undefined, error?: Error) {
    clearTimeout(request?.timer)
    request?.settle(error)
  }

  socket.on('channel:joined', ({ channelId }) => void confirm('join', channelId))
  socket.on('channel:left', ({ channelId }) => {
    if (!confirm('leave', channelId)) for (const watcher of watchers) watcher(channelId)
  })
  // The event names no channel: it is the reply to the oldest request.
  socket.on('channel:error', ({ error }) => finish(pending.shift(), new Error(error)))
  // There will be no replies; components join again after the next connection.
  socket.on('disconnect', () => {
    for (const request of pending.splice(0)) finish(request)
  })

  return {
    /** @throws SubscriptionTimeout, or the error of 'channel:error' */
    join: (channelId: string) => send('join', channelId),
    /** @throws SubscriptionTimeout, or the error of 'channel:error' */
    leave: (channelId: string) => send('leave', channelId),
    /** Calls the watcher when the server removed this socket from a channel. */
    watch: (watcher: (channelId: string) => void) => {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
  }
}

/** Why a subscription ended: the membership ended, the channel was deleted, or became private. */
export type SubscriptionEnd = 'left' | 'deleted' | 'closed'

interface Listeners {
  /** Whether the user is not a member. A late 'channel:left' of an earlier membership is ignored then. */
  isVisiting: () => boolean
  onEnd: (why: SubscriptionEnd) => void
  /** Joining or leaving failed; `isArrival` if it was the first request. */
  onFailure: (error: Error, isArrival: boolean) => void
}

/** Subscribes to a channel, again after each connection, and reports when the subscription ends. */
export function useChannelSubscription(channelId: string | undefined, listeners: Listeners) {
  const socket = useSocket()
  const latest = useRef(listeners)
  useEffect(() => {
    latest.current = listeners
  })
  useEffect(() => {
    if (!socket || !channelId) return
    const channelSubscriptions = subscriptionsOf(socket)
    let isOver = false
    const join = (isArrival: boolean) =>
      void channelSubscriptions.join(channelId).catch((error) => latest.current.onFailure(error, isArrival && !isOver))
    const rejoin = () => join(false)
    const end = (why: SubscriptionEnd) => {
      isOver = true
      latest.current.onEnd(why)
    }
    const stopWatching = channelSubscriptions.watch((left) => {
      if (left !== channelId) return
      if (latest.current.isVisiting()) rejoin()
      else end('left')
    })
    const onDeleted = (deleted: { channelId: string; memberIds: string[] }) => {
      // A deleted channel has at least its owner; without members it became private.
      if (deleted.channelId === channelId) end(deleted.memberIds.length > 0 ? 'deleted' : 'closed')
    }
    if (socket.connected) join(true)
    socket.on('ready', rejoin)
    socket.on('channel:deleted', onDeleted)
    return () => {
      stopWatching()
      socket.off('ready', rejoin)
      socket.off('channel:deleted', onDeleted)
      // The server has removed the socket from an ended channel already.
      if (socket.connected && !isOver)
        channelSubscriptions.leave(channelId).catch((error) => latest.current.onFailure(error, false))
      isOver = true
    }
  }, [socket, channelId])
}
