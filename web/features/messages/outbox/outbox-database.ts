import { type DBSchema, openDB } from 'idb'
import { DATABASE_NAME } from '../../../ui/device/local-storage.ts'
import type { PendingMessage } from './pending-message.ts'

export interface OutboxSchema extends DBSchema {
  /** Under [author, clientId]. */
  messages: { key: [string, string]; value: PendingMessage }
  /** Who may send from a box, where the browser has no locks; see turns.ts. */
  leases: { key: string; value: { holder: string; until: number } }
}

/** Opens the database of all tabs. Calls back when it is closed: by the browser, or for a newer Parley in another tab. */
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
