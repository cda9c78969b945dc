import type { Logger } from '../process/logger.ts'
import { noteOnce } from '../process/note-once.ts'
import type { Caller } from './caller.ts'

/** Logs each refused origin once: either PUBLIC_URL is wrong, or the page is somebody else's. */
export type NoteRefusedOrigin = (origin: string, caller: Pick<Caller, 'origin'>) => void

/** An origin is a header, which anybody can make arbitrarily long. */
const MAX_LENGTH = 200

export function createOriginNotes(log: Logger): NoteRefusedOrigin {
  const note = noteOnce((text) => log.warn(text))
  return (origin, caller) =>
    note(
      `Requests from pages of ${origin.slice(0, MAX_LENGTH)} are refused, because the address of this server is ${caller.origin}. If people use the former, set PUBLIC_URL to it.`,
    )
}
