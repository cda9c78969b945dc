import { v4 as uuid } from 'uuid'
import { keysWithPrefix, readJson, saveItem } from '../../../ui/device/local-storage.ts'
import type { PendingMessage } from './pending-message.ts'

const tab = uuid()

/**
 * A user's messages in localStorage that are not in the database, left by each tab for the next one: a closing page has no
 * time for a database, and some browsers have none. Two tabs may take the same message; its clientId makes the server store
 * it once.
 */
export function createLeftovers(userId: string) {
  const prefix = `parley.unsent.${userId}.`
  /** Whether this tab has left any. */
  let hasOwn = false
  return {
    /** Takes the messages that other tabs and earlier pages left. */
    take: () =>
      keysWithPrefix(prefix).flatMap((key) => {
        const messages = readJson(key)
        saveItem(key)
        return Array.isArray(messages) ? (messages as PendingMessage[]) : []
      }),
    /** Leaves these messages, replacing the last ones. Synchronous, because the page may be about to close. */
    leave(messages: readonly PendingMessage[]) {
      if (messages.length === 0 && !hasOwn) return
      hasOwn = messages.length > 0
      saveItem(prefix + tab, hasOwn ? JSON.stringify(messages) : undefined)
    },
    /** Keeps what was left so far, whatever happens to the messages. */
    end() {
      hasOwn = false
    },
    deleteAll() {
      for (const key of keysWithPrefix(prefix)) saveItem(key)
    },
  }
}
