import { objectsOf, textOf } from '../common/values.ts'
import { timeOf } from './zulip-times.ts'

interface History {
  /** The texts before edits, oldest first. */
  earlier: { text: string; writtenAt: string }[]
  /** Null if only its topic or channel changed; undefined if the history says nothing. */
  editedAt?: string | null
}

/**
 * A message's history. Each entry is a change of the text, the topic or the channel, the last one first; that of a text contains
 * the text before.
 */
export function historyOf(written: unknown, createdAt: string): History {
  const entries = objectsOf(parsed(written))
  if (entries.length === 0) return { earlier: [] }
  const edits = entries
    .reverse()
    .flatMap((entry) => {
      const at = timeOf(entry['timestamp'])
      return typeof entry['prev_content'] === 'string' && at ? [{ text: textOf(entry['prev_content']), at }] : []
    })
    .sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
  const earlier = edits.map(({ text }, index) => ({ text, writtenAt: edits[index - 1]?.at ?? createdAt }))
  return { earlier, editedAt: edits.at(-1)?.at ?? null }
}

/** The database stores it as a text. */
function parsed(written: unknown): unknown {
  if (typeof written !== 'string') return written
  try {
    return JSON.parse(written)
  } catch {
    return undefined
  }
}
