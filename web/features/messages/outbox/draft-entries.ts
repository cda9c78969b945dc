import { v4 as uuid } from 'uuid'
import { keysWithPrefix, readJson } from '../../../ui/device/local-storage.ts'
import type { Draft } from './draft.ts'

/** A draft in localStorage. */
export interface Entry extends Draft {
  /** Changes whenever a tab stores it. */
  version?: string
  /** The text that was just sent or discarded: other tabs that show it clear their composer. */
  ended?: string
}

/** The keys of a user's entries. A conversation has one of its own and, if tabs conflict, others beside it. */
export function draftKeys(userId: string | undefined) {
  const prefix = `parley.draft.${userId}.`
  const keyOf = (conversation: string) => prefix + conversation
  return {
    keyOf,
    newKeyBeside: (conversation: string) => `${keyOf(conversation)}~${uuid()}`,
    conversationIn: (key: string) => key.slice(prefix.length).replace(/~.*/, ''),
    has: (key: string) => key.startsWith(prefix),
    all: () => keysWithPrefix(prefix),
  }
}

export const readEntry = (key: string) => entryOf(readJson(key))

const MAX_TIME_MS = 8.64e15

/** A stored value as an entry, without a broken time; undefined if it is none. */
export function entryOf(stored: unknown): Entry | undefined {
  if (typeof stored !== 'object' || stored === null || !('text' in stored) || typeof stored.text !== 'string')
    return undefined
  const { at, ...entry } = stored as Entry
  const isTime = typeof at === 'number' && Math.abs(at) <= MAX_TIME_MS
  return isTime ? { ...entry, at } : entry
}
