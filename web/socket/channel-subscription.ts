import { useEffect, useRef } from 'react'
import { type ChatSocket, useSocket } from './socket-context.ts'

const REPLY_TIMEOUT_MS = 5000

interface PendingRequest {
  word: 'join' | 'leave'
  channelId: string
  timer: ReturnType<typeof setTimeout>
  settle: (error?: Error) => void
}

type Subscriptions = ReturnType<typeof createSubscriptions>
const subscriptions = new WeakMap<ChatSocket, Subscriptions>()

/** The subscriptions of a socket. */
function subscriptionsOf(socket: ChatSocket): Subscriptions {
  const lookout = subscriptions.get(socket) ?? createSubscriptions(socket)
  subscriptions.set(socket, lookout)
  return lookout
}

/** Joins and leaves channels, and waits for the server's reply to each; it replies in order. */
function createSubscriptions(socket: ChatSocket) {
  const waiting: PendingRequest[] = []
  const watchers = new Set<(channelId: string) => void>()

  function ask(word: PendingRequest['word'], channelId: string) {
    return new Promise<void>((resolve, reject) => {
      const settle = (error?: Error) => (error ? reject(error) : resolve())
      const timer = setTimeout(settle, REPLY_TIMEOUT_MS, new Error(`Channel ${word} timeout`))
      waiting.push({ word, channelId, timer, settle })
      socket.emit(`channel:${word}`, channelId)
    })
  }

  /** Whether this settled a pending request. */
  function confirm(word: PendingRequest['word'], channelId: string) {
    const index = waiting.findIndex((asked) => asked.word === word && asked.channelId === channelId)
    if (index >= 0) end(waiting.splice(index, 1)[0])
    return index >= 0
  }

  function end(asked: PendingRequest | undefined, error?: Error) {
    clearTimeout(asked?.timer)
    asked?.settle(error)
  }

  socket.on('channel:joined', ({ channelId }) => void confirm('join', channelId))
  socket.on('channel:left', ({ channelId }) => {
    if (!confirm('leave', channelId)) for (const watcher of watchers) watcher(channelId)
  })
  // The event names no channel: it is the reply to the oldest request.
  socket.on('channel:error', ({ error }) => end(waiting.shift(), new Error(error)))
  // There will be no replies; components join again after the next connection.
  socket.on('disconnect', () => {
    for (const asked of waiting.splice(0)) end(asked)
  })

  return {
    /** @throws Error 'Channel join timeout', or with what 'channel:error' said. */
    join: (channelId: string) => ask('join', channelId),
    /** @throws Error 'Channel leave timeout', or with what 'channel:error' said. */
    leave: (channelId: string) => ask('leave', channelId),
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
  /** Whether the reader is no member: then the late end of an earlier membership ends nothing. */
  isVisiting: () => boolean
  onEnd: (why: SubscriptionEnd) => void
  /** Joining or leaving failed; `isArrival` if it was the first request. */
  onFailure: (error: Error, isArrival: boolean) => void
}

/** Subscribes to a channel, again after each connection, and reports when the subscription ends. */
export function useChannelSubscription(channelId: string | undefined, hearers: Listeners) {
  const socket = useSocket()
  const latest = useRef(hearers)
  useEffect(() => {
    latest.current = hearers
  })
  useEffect(() => {
    if (!socket || !channelId) return
    const lookout = subscriptionsOf(socket)
    let isOver = false
    const join = (isArrival: boolean) =>
      void lookout.join(channelId).catch((error) => latest.current.onFailure(error, isArrival && !isOver))
    const look = () => join(false)
    const end = (why: SubscriptionEnd) => {
      isOver = true
      latest.current.onEnd(why)
    }
    const stop = lookout.watch((left) => {
      if (left !== channelId) return
      if (latest.current.isVisiting()) look()
      else end('left')
    })
    const hearDeleted = (deleted: { channelId: string; memberIds: string[] }) => {
      // A deleted channel has at least its owner; without members it became private.
      if (deleted.channelId === channelId) end(deleted.memberIds.length > 0 ? 'deleted' : 'closed')
    }
    if (socket.connected) join(true)
    socket.on('ready', look)
    socket.on('channel:deleted', hearDeleted)
    return () => {
      stop()
      socket.off('ready', look)
      socket.off('channel:deleted', hearDeleted)
      // The server has removed the socket from an ended channel already.
      if (socket.connected && !isOver) lookout.leave(channelId).catch((error) => latest.current.onFailure(error, false))
      isOver = true
    }
  }, [socket, channelId])
}
