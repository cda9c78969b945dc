import type { DatabaseConnections } from '../config/database-settings.ts'

/** A burst, refilled at `perSecond`. */
export interface Rate {
  perSecond: number
  burst: number
}

/**
 * Limits for one user or one address on one node: far above what people need, or a browser that reconnects with ten tabs.
 * docs/running/limits.md lists everything in this file for administrators.
 */
const rates = {
  /** Calls and handshakes from one address, which a whole office may share. */
  address: { perSecond: 1000, burst: 5000 },
  /** One user's calls, over all their tokens, tabs and devices. */
  reads: { perSecond: 50, burst: 300 },
  sends: { perSecond: 10, burst: 30 },
  writes: { perSecond: 20, burst: 100 },
  /** Sockets that one user opens, and events sent over all of them. */
  handshakes: { perSecond: 2, burst: 30 },
  events: { perSecond: 50, burst: 300 },
} satisfies Record<string, Rate>

export type RateName = keyof typeof rates

export type Bounds = typeof bounds

/** Upper bounds for everything that the server holds or waits for. Tests use smaller ones. */
export const bounds = {
  rates: rates as Record<RateName, Rate>,
  /** Requests in progress on a node, and queries waiting for a connection. Beyond either: 503. */
  requests: 5000,
  queries: 1000,
  /** Requests in progress per address, including those whose body has not arrived. Beyond it: 429. */
  requestsPerAddress: 1000,
  /** Changes and sends waiting to be written, and characters of those sends. Beyond either: 503. */
  pendingWrites: { count: 20_000, characters: 16_000_000 },
  /** Events of other nodes that wait for the database. Beyond it they are dropped, and clients refetch. */
  waitingBusBytes: 8 * 1024 * 1024,
  /** How long somebody must have been away before they are mailed what they missed, and how often to check. */
  missedMail: { afterMs: 15 * 60_000, pollMs: 60_000 },
  /** How often a node looks for due reminders. */
  reminderPollMs: 2000,
  /** How often a node looks for scheduled messages whose time has come. */
  scheduledPollMs: 1000,
  /** How often a node looks for messages that notify devices, and for notifications to deliver. */
  pushPollMs: 1000,
  /** After a start, pages need a moment to reconnect, until which nobody seems to be active. */
  pushStartMs: 20_000,
  /** How often a node checks for mail to send. */
  mailPollMs: 2000,
  /** How often a node signs out guests whose time has ended; sooner if it knows when that is. */
  guestPollMs: 5000,
  /** How often an answer in progress updates its row in the database, and checks there whether it was stopped. */
  answerHeartbeatMs: 2000,
  /**
   * A request body, which takes up to 10 ms to parse. Calls that name thousands of things have their own limit (`maxBodyBytes`
   * in the contract), and files have a setting. A socket's frame, whose JSON grows up to sixteenfold when parsed. Our clients
   * send half a kilobyte at most: a token.
   */
  bodyBytes: 64 * 1024,
  frameBytes: 4 * 1024,
  /** Large bodies in memory. */
  largeBodyBytes: { perAddress: 16 * 1024 * 1024, total: 48 * 1024 * 1024 },
  /** Timeouts for a request's headers, and for its body unless it is a file. */
  headersTimeoutMs: 20_000,
  bodyTimeoutMs: 20_000,
  /** A connection without any traffic. */
  idleTimeoutMs: 120_000,
  /** Connections without a request, each of which takes 8 to 23 KB. Beyond either, the oldest is closed. */
  idleConnections: { perAddress: 2000, total: 10_000 },
  /** Timeout for a new socket to authenticate. */
  handshakeTimeoutMs: 10_000,
  /** Timeout for the closing handshake of a socket. */
  closeTimeoutMs: 3000,
  /** Sockets of one address that have not authenticated yet. */
  unauthenticatedSockets: 1000,
  socketsPerUser: 50,
  /** Channels that one socket has open. */
  viewedChannels: 64,
  /** Events of one socket that have not been handled yet. */
  pendingEvents: 500,
  /** Bytes waiting for a socket that does not read. Beyond it, the socket is closed; its browser catches up later. */
  unsentSocketBytes: 1024 * 1024,
  /** How often sockets and responses are checked, and frames that one socket may send between two checks. */
  checkIntervalMs: 1000,
  framesPerCheck: 2000,
  /** Ignored events after which a socket is closed. */
  droppedEvents: 1000,
  /** Sockets joining their channels at once; the rest wait, which leaves connections for calls. For a pool of 16 connections. */
  joiningSockets: 12,
  /** Pages and changes read and encoded at once: each needs megabytes. For a pool of 16 connections. */
  pageReads: { total: 8, perUser: 2 },
  /** Syncs of many channels in progress: each holds up to twice `changeBytes.total`. */
  syncs: { total: 16, perUser: 2 },
  /** A page of threads with their latest replies. */
  threadPageBytes: 256 * 1024,
  /** Searches running at once: as many as search has connections. */
  searches: { total: 4, perUser: 2 },
  /** How often the search replica is checked, the delay after a failure, and the lag beyond which it is not used. */
  replica: { checkIntervalMs: 1000, retryDelayMs: 5000, maxLagMs: 30_000 },
  /**
   * Changes of a channel: requested alone, each of several, and all of these together. Beyond that, the client reloads the
   * channel.
   */
  changeBytes: { single: 1024 * 1024, each: 256 * 1024, total: 2 * 1024 * 1024 },
  /**
   * Response bytes that clients have not read yet. Beyond the first two, further responses are refused; beyond the total,
   * the longest stalled ones are aborted.
   */
  unreadBytes: { perUser: 16 * 1024 * 1024, perAddress: 64 * 1024 * 1024, total: 96 * 1024 * 1024 },
  /** Unread bytes counted for a download: a chunk being read and one being written. */
  downloadBytes: 512 * 1024,
  /** A download stalled for this long may be aborted in favour of its user's or address's other requests. */
  stalledDownloadMs: 15_000,
  /** Timeout for reading a response other than a file, extended for large ones by the slowest supported connection. */
  readTimeoutMs: 60_000,
  minBytesPerSecond: 16 * 1024,
  /** Caches: encoded pages and changes, names, sessions by cookie. */
  cacheBytes: {
    pages: 48 * 1024 * 1024,
    changes: 16 * 1024 * 1024,
    names: 16 * 1024 * 1024,
    cookies: 8 * 1024 * 1024,
    previews: 8 * 1024 * 1024,
  },
  /**
   * Parts of uploads to a bucket that are being received or sent. Further ones wait up to `waitMs`, because browsers and proxies
   * give up after a minute. While one waits, uploads that receive fewer than `minBytes` per `checkMs` are aborted.
   */
  uploadParts: { bytes: 80 * 1024 * 1024, perUser: 6, waitMs: 45_000, checkMs: 20_000, minBytes: 640 * 1024 },
  /** A picture's file, and pixels decoded at once. Beyond either, the file gets no thumbnail. */
  pictureBytes: { file: 32 * 1024 * 1024, decoded: 96 * 1024 * 1024 },
}

const USUAL_CONNECTIONS = 16

/** Scales concurrency down with fewer database connections, to leave some for everything else. */
export function boundsFor({ main, search }: DatabaseConnections): Bounds {
  const scaled = (count: number) =>
    Math.max(1, Math.floor((count * Math.min(main, USUAL_CONNECTIONS)) / USUAL_CONNECTIONS))
  return {
    ...bounds,
    joiningSockets: scaled(bounds.joiningSockets),
    pageReads: { ...bounds.pageReads, total: scaled(bounds.pageReads.total) },
    searches: { ...bounds.searches, total: search },
  }
}
