import { type DBSchema, openDB } from 'idb'
import { DATABASE_NAME } from '../../../ui/device/database-name.ts'
import type { PendingMessage } from './pending-message.ts'

export interface OutboxSchema extends DBSchema {
  /** Keyed by [author, clientId]. */
  messages: { key: [string, string]; value: PendingMessage }
  /** Locks per conversation, for browsers without Web Locks; see tab-lock.ts. */
  leases: { key: string; value: { holder: string; until: number } }
}

/** @param onClosed called when the browser closes it, or a newer Parley in another tab needs to upgrade it */
export const openDatabase = (onClosed: () => void) =>
  openDB<OutboxSchema>(DATABASE_NAME, 1, {
    upgrade(db) {
      db.createObjectStore('messages')
      db.createObjectStore('leases')
    },
    blocking: (_current, _blocked, event) => {
      ;(event.target as IDBDatabase).close()
      onClosed()
    },
    terminated: onClosed,
  })
