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

export const readEntry = (key: string) => (readJson(key) ?? undefined) as Entry | undefined
