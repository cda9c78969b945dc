import type { Query, QueryClient } from '@tanstack/react-query'
import type { Me } from '#contract/users'
import { idle } from '../../api-client/use-page-idle.ts'
import { readPreference } from '../../browser/preferences.ts'
import { isUnconfirmed } from '../../browser/unconfirmed.ts'
import { allChannels, snapshotVersion } from '../../features/channels/cache/channel-queries.ts'
import { isWindow, messagesIn } from '../../features/messages/sync/message-queries.ts'
import { type MessageWindow, trim } from '../../features/messages/sync/message-window.ts'
import { sessionUserId } from '../../session/session.ts'
import { type DeviceCacheWriter, openDeviceCache } from '../../ui/device/device-cache-writer.ts'
import { mayStoreFor } from '../../ui/device/local-storage.ts'
import { type KeptConversation, type KeptStart, START } from '../channel/restore-first-page.ts'

/** How long changes are collected before they are written. What the page begins with is written at once. */
const WRITE_DELAY_MS = 2000
/** The maximum average write rate, because a long list of channels changes with each message. */
const MAX_BYTES_PER_MS = 50
/** Only the last page of each conversation is kept. */
const MAX_MESSAGES = 50

/**
 * Writes what the page shows to the device cache: the list of channels, and the end of each conversation that was open. First
 * loads what earlier pages kept into the query cache, so that catching up makes it current as well.
 * @param isLate whether catching up may have begun
 * @returns a function that stops this; undefined if nothing can be kept
 */
export async function keepOnDevice(client: QueryClient, me: Me, isLate: () => boolean) {
  const mayKeep = () => readPreference('keep') === 'on' && sessionUserId() === me.id && mayStoreFor(me.id)
  const device = await openDeviceCache(mayKeep)
  if (!device) return undefined
  const held = await restoreConversations(client, device, isLate)
  return keep(client, me, device, held)
}

/**
 * Loads kept conversations that are not in the query cache yet, if this page began with data from the device cache, because
 * they are only brought up to date then. Returns the revision of each record.
 */
async function restoreConversations(client: QueryClient, device: DeviceCacheWriter, isLate: () => boolean) {
  const held = new Map<string, number>()
  const kept = await device.readAll()
  const isCompared = isLate() || !isUnconfirmed()
  const epoch = client.getQueryData(snapshotVersion.queryKey)?.epoch
  for (const { name: channelId, entry, value } of kept) {
    const isListed = client.getQueryData(allChannels.queryKey)?.[channelId] !== undefined
    if (!isListed || entry.epoch !== epoch) continue
    held.set(channelId, entry.rev)
    const { queryKey } = messagesIn(channelId)
    if (!isCompared && !client.getQueryState(queryKey))
      client.setQueryData(queryKey, (value as KeptConversation).window)
  }
  return held
}

/** Whether it is the window of a channel, not of a thread. */
const isConversation = (query: Query) => isWindow(query) && query.queryKey[3] === null

function keep(client: QueryClient, me: Me, device: DeviceCacheWriter, held: Map<string, number>) {
  /** Conversations that changed since they were written; null stands for the list of channels. */
  const changed = new Set<string | null>([null])
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing = Promise.resolve()
  let delayMs = WRITE_DELAY_MS
  let hasFailed = false
  let listed = client.getQueryData(allChannels.queryKey) ?? {}
  /** Of the list. Held here, because no component observes them, so they leave the query cache after a while. */
  let versions = client.getQueryData(snapshotVersion.queryKey)

  function note(channelId: string | null) {
    changed.add(channelId)
    timer ??= setTimeout(() => void idle().then(() => timer !== undefined && write()), delayMs)
  }

  /** Writes at once if a channel ended for this user, to remove it, or if there is a new one, which the next page may open. */
  function writeIfOther(channels: typeof listed = {}) {
    const has = (some: typeof listed, ids: typeof listed) => Object.keys(ids).every((id) => id in some)
    const hasEnded = !has(channels, listed)
    const isOther = hasEnded || !has(listed, channels)
    listed = channels
    if (isOther) write(hasEnded)
  }

  /**
   * Writes what has changed, one record after the other.
   * @param isUrgent whether to write even before everything was compared with the server; what is left is on the device already
   */
  function write(isUrgent = false) {
    clearTimeout(timer)
    timer = undefined
    if (isUnconfirmed() && !isUrgent) return note(null)
    const all = [...changed]
    changed.clear()
    versions = client.getQueryData(snapshotVersion.queryKey) ?? versions
    writing = writing
      .then(async () => {
        let bytes = 0
        for (const each of all) bytes += await (each === null ? writeStart() : writeConversation(each))
        delayMs = Math.max(WRITE_DELAY_MS, bytes / MAX_BYTES_PER_MS)
        hasFailed = false
      })
      // Storage may be full, or was closed by a newer Parley in another tab.
      .catch((error) => {
        if (!hasFailed) console.error('Failed to write to the device cache:', error)
        hasFailed = true
      })
  }

  /** @returns bytes */
  async function writeStart() {
    const channels = client.getQueryData(allChannels.queryKey)
    if (!channels || !versions) return 0
    const start: KeptStart = { me, channels, ...versions }
    const bytes = await device.write(START, start, { usedAt: Date.now(), epoch: versions.epoch, rev: 0 })
    await device.remove((await device.names()).filter((name) => name !== START && !channels[name]))
    return bytes
  }

  /** @returns bytes */
  async function writeConversation(channelId: string) {
    const query = client.getQueryCache().find<MessageWindow>({ queryKey: messagesIn(channelId).queryKey })
    const window = query?.state.data
    const isListed = client.getQueryData(allChannels.queryKey)?.[channelId] !== undefined
    if (!window || window.hasNewer || !versions || !isListed) {
      await device.remove([channelId])
      return 0
    }
    const { epoch } = versions
    const kept: KeptConversation = { epoch, window: trim(window, MAX_MESSAGES, 'newest') }
    const usedAt = query.isActive() ? Date.now() : 0
    return device.write(channelId, kept, { usedAt, epoch, rev: window.rev })
  }

  const unsubscribe = client.getQueryCache().subscribe(({ type, query }) => {
    const { queryKey } = query
    if (type === 'updated' && queryKey[0] === 'channels') {
      note(null)
      writeIfOther(query.state.data)
    }
    // An observer opens the conversation, which makes it the last one to be evicted.
    if ((type === 'updated' || type === 'observerAdded') && isConversation(query)) note(queryKey[1] as string)
  })
  for (const query of client.getQueryCache().findAll({ predicate: isConversation })) {
    const channelId = query.queryKey[1] as string
    if ((query.state.data as MessageWindow | undefined)?.rev !== held.get(channelId)) note(channelId)
  }
  write()
  const writeAtEnd = () => document.visibilityState === 'hidden' && write()
  document.addEventListener('visibilitychange', writeAtEnd)

  return () => {
    unsubscribe()
    clearTimeout(timer)
    timer = undefined
    document.removeEventListener('visibilitychange', writeAtEnd)
    void writing.then(() => device.close())
  }
}
