// The generator's jobs and their results.

export type Job = { seconds: number } & (Calls | Inserts | Downloads | Uploads)

/** Calls on keep-alive connections, one at a time each. */
export interface Calls {
  kind: 'calls'
  port: number
  connections: number
  /** Bearer tokens; connection i uses tokens[i % length]. */
  tokens: string[]
  /**
   * Requests per second, evenly spaced and measured from the time each was due, regardless of the server. If omitted, the loop is
   * closed: each connection sends its next request after a response.
   */
  perSecond?: number
  load: Sends | Reads
}

export interface Sends {
  kind: 'sends'
  path: string
  /** Channels, used in turn by each connection. */
  channels: string[]
  contents: string[]
  /** Makes the keys of this run unique. */
  run: string
  /** Whether the response is a message; an echo has no id. */
  isStored: boolean
}

export interface Reads {
  kind: 'reads'
  /** Used in turn by all connections together. */
  paths: string[]
  /** Sent as the body of a POST, if given. */
  body?: string
  /** The expected response: a page with this number of messages in order, or this number of bytes. */
  expects: { messages: number } | { bytes: number }
}

/** Inserts messages into a table, `size` per transaction, without a server in between. */
export interface Inserts {
  kind: 'inserts'
  databaseUrl: string
  table: string
  connections: number
  size: number
  contents: string[]
  /** The author and the channel. */
  userId: string
  channelId: string
}

/** Downloads a file of `file-bytes.ts` repeatedly. */
export interface Downloads {
  kind: 'downloads'
  port: number
  connections: number
  path: string
  headers: Record<string, string>
  /** Bytes of the whole file, and of the range that each request gets, at varying offsets; by default the whole file. */
  size: number
  part?: number
}

export interface Uploads {
  kind: 'uploads'
  port: number
  connections: number
  method: 'POST' | 'PUT'
  path: string
  headers: Record<string, string>
  /** The parts of the form before and after the bytes of the file. */
  before: string
  after: string
  size: number
  /** File to flush to disk after each response, with its folder, for a server that doesn't do so itself. */
  flush?: string
}

export interface Outcome {
  /** Correct responses (rows, for inserts), and their rate per second. */
  count: number
  rate: number
  /** Milliseconds. */
  p50: number
  p95: number
  p99: number
  max: number
  /** The number of responses that were not 2xx or not as expected, and the first of them. */
  wrong: number
  firstWrong: string | undefined
  /** Acknowledged messages: ids, and their keys at the same indexes. */
  ids: string[]
  keys: string[]
}
