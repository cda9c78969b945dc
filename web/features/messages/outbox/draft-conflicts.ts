import type { Entry } from './draft-entries.ts'

// Several tabs may write to the same conversation. Each entry has a version, and a tab overwrites or removes only the
// version that it shows. If another tab has stored its own text meanwhile, this tab's text gets a second entry.

/** After a keystroke, other tabs do not change the composer for this long. */
const TYPING_GUARD_MS = 5000

/** A tab's view of an entry. */
interface Shown {
  text: string
  version: string | undefined
  /** How long ago the user typed here; undefined if the composer only shows what was stored. */
  sinceTypedMs: number | undefined
}

/** Whether this tab may overwrite or remove a stored entry: no other tab has changed it. */
export const mayOverwrite = (stored: Entry | undefined, version: string | undefined) =>
  !stored || stored.version === version

/**
 * Decides how this tab reacts when another one has stored or removed the entry that it shows.
 * @param change the event's value, not the stored one: ending a draft takes two events, one with the ended text and one that
 * removes the entry
 * @param stored the entry that is stored now
 */
export function reactionTo(
  change: Entry | undefined,
  stored: Entry | undefined,
  { text, version, sinceTypedMs }: Shown,
): 'ignore' | 'show it' | 'keep both' {
  // This tab has already overwritten it: its own version is stored.
  const isOverwritten = stored?.version !== undefined && stored.version === version && stored.ended === undefined
  if (isOverwritten) return 'ignore'
  if (text === '' || sinceTypedMs === undefined || change?.ended?.trim() === text.trim()) return 'show it'
  // A longer version of this tab's text loses nothing, but must not appear while the user is typing.
  const isContinued = sinceTypedMs > TYPING_GUARD_MS && change?.text.includes(text)
  return isContinued ? 'show it' : 'keep both'
}
