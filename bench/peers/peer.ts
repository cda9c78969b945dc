import type { Cleanup } from '../setup/cleanup.ts'

/** A running server with one channel that has everybody. */
export interface Prepared {
  /** The root of its processes, including the database. */
  pid: number
}

/** A server to compare with others. An adapter exports one as `peer`. */
export interface Peer<P extends Prepared = Prepared> {
  name: string
  /** Starts the server with people numbered from 0, and registers its cleanup. */
  prepare(cleanup: Cleanup, people: number): Promise<P>
  /** Resolves once the server has acknowledged the message, which must be on disk by then. One at a time per person. */
  send(prepared: P, person: number, text: string): Promise<void>
  /** Resolves once the person has a connection that receives the text of each new message. */
  listen(prepared: P, person: number, onText: (text: string) => void): Promise<void>
  /** Fetches the newest messages of the channel, 50 at most, and returns their number. */
  page(prepared: P, person: number): Promise<number>
}
