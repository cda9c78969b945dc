/** How often something may be done: so many at once, and then so many a second. */
export interface Rate {
  perSecond: number
  burst: number
}

/**
 * What one person, or one address, may do on one node. Far beyond what somebody does by hand, and beyond what their
 * browser does when it comes back with ten tabs; docs/running/limits.md says each to those who run Parley.
 */
const rates = {
  /** Calls and handshakes from one address: a whole office may stand behind one. */
  address: { perSecond: 1000, burst: 5000 },
  /** What one person reads, sends, and changes besides; over all their tokens, tabs and devices. */
  reads: { perSecond: 50, burst: 300 },
  sends: { perSecond: 10, burst: 30 },
  writes: { perSecond: 20, burst: 100 },
  /** Sockets that one person opens, and what they say over all of them. */
  handshakes: { perSecond: 2, burst: 30 },
  events: { perSecond: 50, burst: 300 },
} satisfies Record<string, Rate>

export type RateName = keyof typeof rates

export type Bounds = typeof bounds

/** What the server holds and waits for at the most. Times in milliseconds, sizes in bytes; tests take smaller ones. */
export const bounds = {
  rates: rates as Record<RateName, Rate>,
  /** Requests under way on one node, and queries that wait for a connection; beyond them the answer is 503. */
  requests: 5000,
  queries: 1000,
  /** Of them, and of those whose body is still awaited, by one address; beyond it the answer is 429. */
  requestsOfAddress: 1000,
  /** Changes and sends that wait to be written, and characters of those sends; beyond them the answer is 503. */
  written: { things: 20_000, characters: 16_000_000 },
  /** Bodies but for files, which are as long as the settings say; frames of a socket. */
  body: 1024 * 1024,
  /** What is held of large ones together, of one address and of all. */
  bodies: { address: 16 * 1024 * 1024, all: 48 * 1024 * 1024 },
  frame: 64 * 1024,
  /** How long the head of a request may take, its body (but for files), and a connection on which nothing moves. */
  slowHead: 20_000,
  slowBody: 20_000,
  idle: 120_000,
  /** How long a socket may take to say who it is. */
  slowHandshake: 10_000,
  /** How long a socket that was told to go has to answer the farewell. */
  farewell: 3000,
  /** Connections of one address that have not said yet for whom they listen. */
  strangers: 1000,
  /** Sockets of one person; channels that one socket looks at; what it asked and is not answered yet. */
  sockets: 50,
  looking: 64,
  asked: 500,
  /** What waits for a socket that does not read; beyond it, it is cut, and brings itself up to date when it is back. */
  unread: 1024 * 1024,
  /** Time between two looks at the sockets, frames taken of one in between, and things dropped until it is cut. */
  look: 1000,
  frames: 2000,
  dropped: 1000,
  /** Sockets that are being let into their channels at once: the others wait, and calls have their connections. */
  entering: 12,
  /** Pages and changes that are read and encoded at once, on a node and for one person: each is megabytes for a moment. */
  reading: { all: 8, one: 2 },
  /** Searches that run at once, on a node and for one person. */
  searching: { all: 4, one: 2 },
  /**
   * Bytes of what changed in a channel: when asked for one, of each of many, and of all of those together. Beyond them
   * the answer is that the channel is to be read anew.
   */
  changes: { one: 1024 * 1024, each: 256 * 1024, all: 2 * 1024 * 1024 },
  /**
   * Bytes of answers that were written and not taken yet by the other side: those of one person, of one address, and of
   * all. Beyond the first two the next is refused; beyond the last those are cut of which nothing was taken for longest.
   */
  answers: { person: 16 * 1024 * 1024, address: 64 * 1024 * 1024, all: 96 * 1024 * 1024 },
  /** What a file that is being downloaded counts for there at the most: a chunk that is read and one that is written. */
  download: 512 * 1024,
  /** Milliseconds after which a file of which nothing was taken makes room for what else its person or address asks for. */
  paused: 15_000,
  /**
   * Milliseconds that an answer which is no file may take to be read, and the bytes a second of the slowest line that is
   * waited for besides: whoever has a slow line gets the largest answer, too.
   */
  slowAnswer: 60_000,
  slowestLine: 16 * 1024,
  /** Bytes of what is kept to be given again: encoded pages and changes, names, and whose cookies are whose. */
  caches: { pages: 48 * 1024 * 1024, changes: 16 * 1024 * 1024, names: 16 * 1024 * 1024, cookies: 8 * 1024 * 1024 },
  /**
   * Bytes of a picture as a file, and of what is decoded at once of it; one is looked at at a time. Beyond either it is
   * a file without a thumbnail.
   */
  picture: { file: 32 * 1024 * 1024, decoded: 96 * 1024 * 1024 },
}
