import { useEffect, useRef } from 'react'
import { type ChatSocket, useSocket } from './socket-context.ts'

/** Milliseconds that the server has to confirm. */
const REPLY_TIMEOUT_MS = 5000

interface PendingRequest {
  word: 'join' | 'leave'
  channelId: string
  timer: ReturnType<typeof setTimeout>
  settle: (error?: Error) => void
}

type Subscriptions = ReturnType<typeof createSubscriptions>
const subscriptions = new WeakMap<ChatSocket, Subscriptions>()

/** How a socket looks at channels. */
function subscriptionsOf(socket: ChatSocket): Subscriptions {
  const lookout = subscriptions.get(socket) ?? createSubscriptions(socket)
  subscriptions.set(socket, lookout)
  return lookout
}

/** Says to the server which channel is looked at, and waits until it confirms: it answers one after the other. */
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

  /** Whether it was asked for. */
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
  // It names no channel: it answers what was asked first.
  socket.on('channel:error', ({ error }) => end(waiting.shift(), new Error(error)))
  // Nothing of it will be answered; looking begins anew with the next connection.
  socket.on('disconnect', () => {
    for (const asked of waiting.splice(0)) end(asked)
  })

  return {
    /** @throws Error 'Channel join timeout', or with what 'channel:error' said. */
    join: (channelId: string) => ask('join', channelId),
    /** @throws Error 'Channel leave timeout', or with what 'channel:error' said. */
    leave: (channelId: string) => ask('leave', channelId),
    /** Hears of channels that this socket was put out of without having asked. */
    watch: (watcher: (channelId: string) => void) => {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
  }
}

/** Why a channel ended for whoever looks at it: their membership did, it was deleted, or it became private. */
export type SubscriptionEnd = 'left' | 'deleted' | 'closed'

interface Listeners {
  /** Whether I look without being in it: then a membership that ends late, of which I know already, ends nothing. */
  isVisiting: () => boolean
  onEnd: (why: SubscriptionEnd) => void
  /** It could not be joined, or not be left; `isArrival` where joining was the first thing that was asked for it. */
  onFailure: (error: Error, isArrival: boolean) => void
}

/** Tells the server which channel is looked at, if any, again after each connection, and hears when that ends. */
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
      // Its owner at least was in it; what has become private is told without anybody.
      if (deleted.channelId === channelId) end(deleted.memberIds.length > 0 ? 'deleted' : 'closed')
    }
    if (socket.connected) join(true)
    socket.on('ready', look)
    socket.on('channel:deleted', hearDeleted)
    return () => {
      stop()
      socket.off('ready', look)
      socket.off('channel:deleted', hearDeleted)
      // Where it ended the server has taken this socket out already.
      if (socket.connected && !isOver) lookout.leave(channelId).catch((error) => latest.current.onFailure(error, false))
      isOver = true
    }
  }, [socket, channelId])
}
