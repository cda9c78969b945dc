import { v4 as uuid } from 'uuid'

/**
 * The key under which a message is sent, however often: a UUID of version 7, which begins with the time. So an author's new
 * key is stored behind their last one, and the database writes to few pages of the index of keys.
 *
 * Composed here, because the library's own `v7` would be more code to load. `uuid` falls back to `getRandomValues`:
 * `randomUUID` does not exist on plain http.
 */
export function newMessageKey(createdAt: string): string {
  const time = Date.parse(createdAt).toString(16).padStart(12, '0')
  return `temp-${time.slice(0, 8)}-${time.slice(8)}-7${uuid().slice(15)}`
}
