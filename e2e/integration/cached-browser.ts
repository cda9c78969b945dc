import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { io } from 'socket.io-client'
import { afterAll, afterEach, expect, vi } from 'vitest'
import type { ServerEvent } from '#contract/events'
import { type Person, startParley } from '../../server/test/support/parley.ts'
import { STATE_TIMEOUT_MS } from '../../server/test/support/timeouts.ts'
import { queryClient } from '../../web/api-client/api.ts'
import { allChannels, channelById } from '../../web/features/channels/cache/channel-queries.ts'
import { messagesIn } from '../../web/features/messages/sync/message-queries.ts'
import { myThreads } from '../../web/features/threads/thread-queries.ts'
import { AVAILABILITY_KEY, allUsers } from '../../web/people/user-queries.ts'
import { applyEvents } from '../../web/realtime/open-connection.ts'
import { fetchMe, setSessionUser } from '../../web/session/session.ts'
import type { ChatSocket } from '../../web/socket/socket-context.ts'

// For every event: after applying it, the browser's cache equals a fresh fetch.

const realFetch = globalThis.fetch
const endings: (() => void)[] = []
afterEach(() => {
  for (const end of endings.splice(0)) end()
})
afterAll(() => {
  globalThis.fetch = realFetch
})
/** Counts fetches of changes because of missed events. */
let gaps = 0

/** Ada and Eve act; Bob's browser holds a cache. Requests through `web/` are Bob's. */
export async function startTalk() {
  const parley = await startParley()
  const { address } = parley
  const ada = await parley.person('ada')
  const bob = await parley.person('bob')
  const eve = await parley.person('eve')
  // Browsers add the origin and the cookie automatically.
  globalThis.fetch = (path, init) => {
    if (String(path).includes('/changes')) gaps++
    const headers = { ...(init?.headers as Record<string, string>), cookie: bob.cookie, origin: address }
    return realFetch(`${address}${path}`, { ...init, headers })
  }
  setSessionUser((await fetchMe())?.id)
  return {
    ...parley,
    ada,
    bob,
    eve,
    bobIn: (channelId: string, threadId?: string) => browse(bob, address, channelId, threadId),
  }
}

const STATUS_DETAILS = new Set(['statusText', 'statusUntil', 'availability', 'quietUntil', 'isIdle'])
/** The cache contains a cleared status explicitly; responses omit it. */
const withoutDefaults = (cached: unknown): unknown =>
  JSON.parse(JSON.stringify(cached, (key, value) => (STATUS_DETAILS.has(key) ? value || undefined : value)))

/** A browser that views a channel, and a thread if given; `after` waits for an event, then compares the whole cache. */
async function browse(me: Person, address: string, channelId: string, threadId?: string) {
  const client = new QueryClient({ defaultOptions: queryClient.getDefaultOptions() })
  const socket = io(address, { auth: { token: me.token }, transports: ['websocket'], forceNew: true }) as ChatSocket
  const stop = applyEvents(client, socket, me.id)
  await new Promise<void>((resolve) => socket.once('ready', () => resolve()))
  socket.emit('channel:join', channelId)
  const queries = [
    allChannels,
    allUsers,
    myThreads,
    channelById(channelId),
    messagesIn(channelId),
    ...(threadId ? [messagesIn(channelId, threadId)] : []),
  ].map((query) => query as typeof allChannels)
  const forget = queries.map((query) => new QueryObserver(client, query).subscribe(() => {}))
  endings.push(() => {
    stop()
    socket.disconnect()
    for (const end of forget) end()
    client.clear()
  })

  const held = () => queries.map(({ queryKey }) => client.getQueryData(queryKey))
  // Nothing may stay cached that can no longer be read.
  const read = () => Promise.all(queries.map((query) => new QueryClient().fetchQuery(query).catch(() => undefined)))
  const settled = () =>
    vi.waitFor(async () => expect(withoutDefaults(held())).toEqual(withoutDefaults(await read())), {
      timeout: STATE_TIMEOUT_MS,
      interval: 100,
    })
  await settled()
  let fetches = 0
  client.getQueryCache().subscribe((event) => {
    // One's own availability is asked for with the first notification.
    const isOther = event.query.queryKey[0] !== AVAILABILITY_KEY[0]
    if (event.type === 'updated' && event.action.type === 'fetch' && isOther) fetches++
  })
  const gapsBefore = gaps
  return {
    client,
    socket,
    settled,
    /** Counts how often this browser fetched changes because events did not suffice. */
    fetchCount: () => fetches + gaps - gapsBefore,
    held: (id = channelId) => client.getQueryData(allChannels.queryKey)?.[id],
    /** Holds back everything from the server until released. */
    pause: () => {
      const { ws } = socket.io.engine.transport as unknown as { ws: { pause(): void; resume(): void } }
      ws.pause()
      return () => ws.resume()
    },
    /** Acts while the browser receives no events of one kind. */
    without: async (event: ServerEvent, act: () => Promise<unknown>) => {
      const handlers = socket.listeners(event)
      socket.off(event)
      const passed = new Promise<void>((resolve) => socket.once(event, () => resolve()))
      await act()
      await passed
      for (const handle of handlers) socket.on(event, handle)
    },
    after: async (act: () => Promise<unknown>) => {
      const before = JSON.stringify(held())
      await act()
      await vi.waitFor(() => expect(JSON.stringify(held())).not.toBe(before), {
        timeout: STATE_TIMEOUT_MS,
        interval: 20,
      })
      await settled()
    },
  }
}
