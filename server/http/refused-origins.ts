import type { Logger } from '../process/logger.ts'
import { noteOnce } from '../process/note-once.ts'
import type { Caller } from './caller.ts'

/** Logs once for each origin that its pages are refused: PUBLIC_URL may be wrong, or the page somebody else's. */
export type NoteRefusedOrigin = (origin: string, caller: Pick<Caller, 'origin'>) => void

/** An origin is a header, which anybody may make as long as they like. */
const MAX_LENGTH = 200

export function createOriginNotes(log: Logger): NoteRefusedOrigin {
  const note = noteOnce((text) => log.warn(text))
  return (origin, caller) =>
    note(
      `Requests from pages of ${origin.slice(0, MAX_LENGTH)} are refused, because the address of this server is ${caller.origin}. If people use the former, set PUBLIC_URL to it.`,
    )
}
