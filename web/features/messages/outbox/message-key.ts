import { v4 as uuid } from 'uuid'

/**
 * Returns the key under which a message is sent and resent: a version 7 UUID, which starts with the time. Each new key of an
 * author sorts after their last one, so the database writes to few pages of the index.
 *
 * Composed here, because the library's `v7` is more code to load. `uuid` falls back to `getRandomValues`:
 * `randomUUID` does not exist on plain http.
 */
export function newMessageKey(createdAt: string): string {
  const time = Date.parse(createdAt).toString(16).padStart(12, '0')
  return `temp-${time.slice(0, 8)}-${time.slice(8)}-7${uuid().slice(15)}`
}
