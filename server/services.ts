import type { Transaction } from 'kysely'
import type { Doors } from './access/access.ts'
import type { Bus } from './bus/bus.ts'
import type { Config } from './config/config.ts'
import type { Seal } from './config/seal.ts'
import type { Database } from './db/database.ts'
import type { DatabaseDisk } from './db/full-disk.ts'
import type { DB } from './db/schema.ts'
import type { Storage } from './files/storage.ts'
import type { StoreCheck } from './files/store-check.ts'
import type { Bounds } from './limits/bounds.ts'
import type { Turns } from './limits/turns.ts'
import type { LinkCode } from './mail/link-codes.ts'
import type { Keywords } from './people/keywords.ts'
import type { NameCache } from './people/name-cache.ts'
import type { Presence } from './people/presence.ts'
import type { Logger } from './process/logger.ts'
import type { PushService } from './push/push-service.ts'
import type { MemberSockets } from './realtime/member-sockets.ts'
import type { Realtime } from './realtime/open-realtime.ts'
import type { Publish } from './realtime/publisher.ts'
import type { SearchDatabases } from './search/find-newest.ts'

/** Changes a channel; `messages/writer.ts` implements it. */
export interface ChannelWriter {
  /** Runs a transaction that increments a channel's `rev`, then publishes its result, both in the channel's queue. */
  change<T>(channelId: string, act: (tx: Transaction<DB>) => Promise<T>, publish: (done: T) => unknown): Promise<T>
  /** Whether a change of the channel is queued or running: it may be committed and not published yet. */
  isBusy(channelId: string): boolean
}

/** Shared by all rooms and created once per process. Code that needs only a field or two takes those instead. */
export interface Services extends Database {
  /** Broadcasts to the other nodes. For events use `publish`, for members `memberSockets`. */
  bus: Bus
  bounds: Bounds
  /** The size of each cache, by its name. */
  cacheBytes: Map<string, () => number>
  config: Config
  databaseDisk: DatabaseDisk
  doors: Doors
  keywords: Keywords
  /** The codes of links in mails. */
  linkCode: LinkCode
  log: Logger
  /** Moves the sockets of members. */
  memberSockets: MemberSockets
  people: NameCache
  /** Polls for changes within milliseconds, on all nodes. Call it after a commit that has no event. */
  pollSoon: () => void
  presence: Presence
  /** Delivers to devices; `push.publicKey` is what their browsers subscribe with. */
  push: PushService
  /** To the sockets of all nodes. */
  publish: Publish
  /** For code that handles sockets. */
  realtime: Realtime
  searchDatabases: SearchDatabases
  storage: Storage
  storeCheck: StoreCheck
  /** For tokens of other services, which the database keeps as long as they are needed. */
  tokenSeal: Seal
  /** Limits concurrent work that needs megabytes of memory. */
  turns: Turns
  writer: ChannelWriter
}
