import type { Cleanup } from '../setup/cleanup.ts'

/** A running server with one channel, in which everybody is. */
export interface Prepared {
  /** Its processes are this one and its descendants, the database among them. */
  pid: number
}

/** A server that can be measured beside others. An adapter exports one as `peer`. */
export interface Peer<P extends Prepared = Prepared> {
  name: string
  /** Starts the server with so many people, who are numbered from 0, and registers how it is stopped. */
  prepare(cleanup: Cleanup, people: number): Promise<P>
  /** Resolves once the server has acknowledged the message, which is on disk then. One at a time for each person. */
  send(prepared: P, person: number, text: string): Promise<void>
  /** Resolves once the person has a connection that receives the text of each new message. */
  listen(prepared: P, person: number, onText: (text: string) => void): Promise<void>
  /** Fetches the newest messages of the channel, 50 at most, and returns how many came. */
  page(prepared: P, person: number): Promise<number>
}
