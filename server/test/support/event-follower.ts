import { setTimeout as sleep } from 'node:timers/promises'
import { io as connect } from 'socket.io-client'
import type { Changes } from '#contract/changes'
import type { Message } from '#contract/messages'
import { atEnd } from './cleanup.ts'
import type { ApiClient } from './server-process.ts'

interface Held {
  /** The revision in the cache, and the highest one published. */
  known: number
  published: number
  filling: boolean
  messages: Map<string, Message>
}

/**
 * A client that follows channels over a socket by the browser's rule (docs/subsystems/sync.md): it applies consecutive events,
 * and fetches changes after a gap or a reconnect. In the end it must hold exactly the stored messages.
 */
export function follow(person: ApiClient, channels: string[]) {
  const held = new Map<string, Held>(
    channels.map((id) => [id, { known: 0, published: 0, filling: false, messages: new Map() }]),
  )
  const socket = connect(person.address, {
    auth: { token: person.token },
    transports: ['websocket'],
    forceNew: true,
    reconnectionDelay: 100,
    reconnectionDelayMax: 300,
  })
  const epochs = new Set<string>()
  let open = true
  const close = () => {
    open = false
    socket.close()
  }
  atEnd(close)

  const merge = ({ messages }: Held, message: Message) => {
    if ((messages.get(message.id)?.rev ?? -1) < message.rev) messages.set(message.id, message)
  }

  /** Retries until the request succeeds. */
  async function ask(method: string, path: string, payload?: object) {
    for (; open; await sleep(200)) {
      const answer = await person.call(method, path, payload).catch(() => undefined)
      if (answer?.status === 200) return answer
    }
    return undefined
  }

  async function take(channelId: string, window: Held, changes: Changes | undefined) {
    if (!changes) return
    if (!('reload' in changes)) {
      for (const message of changes.messages) merge(window, message)
      window.known = Math.max(window.known, changes.rev)
      return
    }
    for (let after = 0, rev = 0; ; ) {
      const page = await ask('GET', `/api/messages/channel/${channelId}?limit=100&after=${after}`)
      if (!page) return
      for (const message of page.body as Message[]) merge(window, message)
      rev ||= page.rev
      after = page.body.at(-1)?.seq ?? after
      if (page.body.length === 100) continue
      window.known = Math.max(window.known, rev)
      return
    }
  }

  async function fill(channelId: string, window: Held) {
    if (window.filling) return
    window.filling = true
    while (open && window.known < window.published) {
      await sleep(100)
      await take(
        channelId,
        window,
        (await ask('GET', `/api/channels/${channelId}/changes?after=${window.known}`))?.body,
      )
    }
    window.filling = false
  }

  function onMessage({ channelId, rev }: { channelId: string; rev: number }, message?: Message) {
    const window = held.get(channelId)
    if (!window || rev <= window.known) return
    window.published = Math.max(window.published, rev)
    if (!message || rev > window.known + 1 || window.filling) return void fill(channelId, window)
    merge(window, message)
    window.known = rev
  }

  for (const event of ['message:created', 'message:updated', 'message:deleted'])
    socket.on(event, (message: Message) => onMessage(message, message))
  socket.on('channel:rev', (come: { channelId: string; rev: number }) => onMessage(come))
  socket.on('ready', async ({ epoch }: { epoch: string }) => {
    // State from another database is dropped.
    if (epochs.size > 0 && !epochs.has(epoch))
      for (const id of channels) held.set(id, { known: 0, published: 0, filling: false, messages: new Map() })
    epochs.add(epoch)
    const revs = Object.fromEntries([...held].map(([id, { known }]) => [id, known]))
    const answer = await ask('POST', '/api/sync', { epoch, revs })
    for (const [id, changes] of Object.entries<Changes>(answer?.body.channels ?? {}))
      await take(id, held.get(id) as Held, changes)
  })

  // Like a browser; the library reconnects automatically, unless the server ended or refused the connection.
  const reconnect = () => setTimeout(() => open && socket.connect(), 100)
  socket.on('disconnect', (reason) => {
    if (reason === 'io server disconnect') reconnect()
  })
  // A node refuses it as `unavailable` while the database is away.
  socket.on('connect_error', () => {
    if (!socket.active) reconnect()
  })

  return {
    epochs,
    close,
    /** A channel's messages in order, as `rev id content`. */
    sees: (channelId: string) =>
      [...(held.get(channelId)?.messages.values() ?? [])]
        .sort((a, b) => a.seq - b.seq)
        .map(({ id, content, rev }) => `${rev} ${id} ${content}`),
  }
}
