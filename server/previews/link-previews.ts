import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Transaction } from 'kysely'
import { LRUCache } from 'lru-cache'
import { ASSISTANT } from '#contract/ids'
import { lockChannel } from '../channels/revision.ts'
import type { Db } from '../db/database.ts'
import type { DB } from '../db/schema.ts'
import { AppError } from '../errors.ts'
import { adoptFile, writePending } from '../files/kept-file.ts'
import { createKeyCounter } from '../limits/key-counter.ts'
import { createTurns } from '../limits/turns.ts'
import { previewColumn, type StoredPreview } from '../messages/message-previews.ts'
import { type MessageRow, presentMessage, selectMessages } from '../messages/message-rows.ts'
import { updateMessage } from '../messages/update-message.ts'
import { createOutbound, OutboundError } from '../outbound/outbound.ts'
import { channelRoom } from '../realtime/rooms.ts'
import type { Services } from '../services.ts'
import { type FetchedPreview, fetchPreview } from './fetch-preview.ts'
import { linksIn } from './links-in.ts'

export interface LinkPreviews {
  /**
   * Call with every new or edited message. Fetches its links, and adds their previews some seconds later. Returns immediately and
   * never throws.
   * @param origins of this workspace, whose own pages have no preview
   */
  onMessage(message: MessageRow, origins: readonly string[]): void
  close(): Promise<void>
}

/** Each fetch may hold a page and a picture in memory. */
const TURNS = { total: 6, perUser: 2 }
const FETCH_TIMEOUT_MS = 10_000
/** Beyond either, messages stay without previews. */
const MAX_WAITING = { total: 200, perUser: 20 }
const MAX_WAIT_MS = 60_000
/** How long a link that is repeated in a channel is not fetched again; shorter if it failed. */
const FOUND_MS = 10 * 60_000
const NOT_FOUND_MS = 60_000
const ENTRY_BYTES = 1000
const STOP_TIMEOUT_MS = 2000

/** Adds previews to messages with links. What is waiting when a node stops stays without. */
export function startLinkPreviews(services: Services): LinkPreviews {
  const { bounds, cacheBytes, config, db, log } = services
  const outbound = createOutbound({ allowed: config.outboundAllow, purpose: 'link previews' })
  const turns = createTurns({ ...TURNS, maxWaitMs: MAX_WAIT_MS })
  const waiting = createKeyCounter()
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()
  // By channel as well: how fast a preview appears must not tell whether a link was sent elsewhere.
  const found = new LRUCache<string, { preview: FetchedPreview | undefined }>({
    maxSize: bounds.cacheBytes.previews,
    sizeCalculation: ({ preview }, key) => ENTRY_BYTES + 2 * key.length + (preview?.picture?.bytes.length ?? 0),
  })
  cacheBytes.set('previews', () => found.calculatedSize)

  function onMessage(message: MessageRow, origins: readonly string[]) {
    const { id, userId, content, previews, deletedAt } = message
    if (!config.linkPreviews || userId === ASSISTANT || deletedAt || stopping.signal.aborted) return
    const links = missingLinks(content, previews).filter((link) => !origins.includes(new URL(link).origin))
    if (links.length === 0 || running.size >= MAX_WAITING.total || waiting.count(userId) >= MAX_WAITING.perUser) return
    waiting.enter(userId)
    const work = addPreviews(message, links)
      .catch((err) => {
        // Refused, because too much is waiting, or the channel was deleted.
        if (stopping.signal.aborted || err instanceof AppError) return
        log.warn({ err, messageId: id }, 'the links of a message could not be previewed')
      })
      .finally(() => {
        waiting.leave(userId)
        running.delete(work)
      })
    running.add(work)
  }

  async function addPreviews(message: MessageRow, links: string[]) {
    const { userId } = message
    const fetched = await Promise.all(links.map(async (url) => ({ url, preview: await fetchInTurn(message, url) })))
    const stored: StoredPreview[] = []
    for (const { url, preview } of fetched) {
      if (!preview) continue
      const { picture: its, ...facts } = preview
      const picture = its && { fileId: await storePicture(userId, its.bytes), width: its.width, height: its.height }
      stored.push({ url, ...facts, picture })
    }
    if (stored.length > 0) await attach(services, message, stored)
  }

  /** Undefined also if its turn came too late. The other links of the message don't depend on it. */
  async function fetchInTurn(message: MessageRow, url: string) {
    try {
      return await turns(message.userId, async () =>
        (await isWanted(db, message)) ? fetchOnce(message.channelId, url) : undefined,
      )
    } catch (err) {
      if (!stopping.signal.aborted && !(err instanceof AppError)) log.warn({ err }, 'a link could not be previewed')
      return undefined
    }
  }

  async function fetchOnce(channelId: string, url: string): Promise<FetchedPreview | undefined> {
    const key = `${channelId} ${url}`
    const earlier = found.get(key)
    if (earlier) return earlier.preview
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(FETCH_TIMEOUT_MS)])
    const preview = await fetchPreview({ outbound, bounds }, url, signal).catch((error) => {
      stopping.signal.throwIfAborted()
      if (!(error instanceof OutboundError) && error.name !== 'TimeoutError') throw error
      // The link may be as secret as its channel.
      log.debug({ reason: error.message }, 'a link was not previewed')
      return undefined
    })
    found.set(key, { preview }, { ttl: preview ? FOUND_MS : NOT_FOUND_MS })
    return preview
  }

  const storePicture = (userId: string, bytes: Buffer) =>
    writePending(services, { userId, name: 'preview.webp', bytes })

  return {
    onMessage,
    async close() {
      stopping.abort()
      // A picture may still be decoded.
      await Promise.race([Promise.allSettled(running), sleep(STOP_TIMEOUT_MS, undefined, { ref: false })])
    },
  }
}

/** The links of a text that have no preview yet, and whose preview was not removed. */
const missingLinks = (content: string, previews: StoredPreview[] | null) =>
  linksIn(content).filter((link) => !previews?.some(({ url }) => url === link))

type Place = Pick<MessageRow, 'channelId' | 'userId'>

/** Whether the workspace and the channel want previews, and the author may still write there. */
async function isWanted(db: Db | Transaction<DB>, { channelId, userId }: Place) {
  const wanted = db
    .selectFrom('channels')
    .innerJoin('memberships', 'memberships.channelId', 'channels.id')
    .innerJoin('workspace', (join) => join.onTrue())
    .select('channels.id')
    .where('channels.id', '=', channelId)
    .where('memberships.userId', '=', userId)
    .where('channels.archivedAt', 'is', null)
    .where('channels.deletedAt', 'is', null)
    .where('channels.linkPreviews', '=', true)
    .where('workspace.linkPreviews', '=', true)
  return (await wanted.executeTakeFirst()) !== undefined
}

/** Adds previews to a message, unless it has changed: those whose link it still has. The pictures of others are swept. */
async function attach(
  { people, publish, writer }: Services,
  { id, channelId, userId }: Pick<MessageRow, 'id' | 'channelId' | 'userId'>,
  added: StoredPreview[],
) {
  await writer.change(
    channelId,
    async (tx) => {
      await lockChannel(tx, channelId)
      const message = await selectMessages(tx).where('messages.id', '=', id).executeTakeFirst()
      if (!message || message.deletedAt || !(await isWanted(tx, { channelId, userId }))) return undefined
      const { content, previews } = message
      const missing = missingLinks(content, previews)
      const its = added.filter(({ url }) => missing.includes(url))
      if (its.length === 0) return undefined
      for (const { picture } of its) if (picture) await adoptFile(tx, picture.fileId, { channelId, messageId: id })
      const links = linksIn(content)
      const position = ({ url }: StoredPreview) => links.indexOf(url)
      const all = [...(previews ?? []), ...its].toSorted((one, other) => position(one) - position(other))
      return updateMessage(tx, message, previewColumn(all))
    },
    async (message) => {
      if (message) publish(channelRoom(channelId), 'message:updated', await presentMessage(people, message))
    },
  )
}

/**
 * The column of an edited message: without the previews of links that it no longer has. Their pictures are removed; a removed
 * preview is not forgotten, as the link may come back.
 */
export async function keepPreviews(tx: Transaction<DB>, { previews }: MessageRow, content: string) {
  if (!previews) return {}
  const links = linksIn(content)
  const isKept = ({ url, isRemoved }: StoredPreview) => isRemoved || links.includes(url)
  await dropPictures(
    tx,
    previews.filter((preview) => !isKept(preview)),
  )
  return previewColumn(previews.filter(isKept))
}

/** Their files are swept. */
export async function dropPictures(tx: Transaction<DB>, previews: StoredPreview[]) {
  const ids = previews.flatMap(({ picture }) => picture?.fileId ?? [])
  if (ids.length === 0) return
  await tx
    .updateTable('files')
    .set({ state: 'gone', messageId: null, touchedAt: sql<string>`clock_timestamp()` })
    .where('id', 'in', ids)
    .execute()
}
