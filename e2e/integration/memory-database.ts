import { vi } from 'vitest'

/** The outbox's database in memory, because Node.js has no IndexedDB: as much of it as outbox-db.ts uses. */
export function memoryDatabase() {
  vi.stubGlobal('indexedDB', {})
  vi.stubGlobal('IDBKeyRange', { bound: ([author]: [string]) => author })
  const stores: Record<string, Map<string, unknown>> = { messages: new Map(), leases: new Map() }
  /** What fails, as on a full disk. */
  const refused = new Set<'put' | 'delete'>()
  const refuse = (act: 'put' | 'delete') => {
    if (refused.has(act)) throw new DOMException(`Refused: ${act}`, 'QuotaExceededError')
  }
  const storeOf = (name: string) => {
    const entries = stores[name] ?? new Map<string, unknown>()
    const keyOf = (key: unknown) => JSON.stringify(key)
    const ofAuthor = (author: string) => [...entries.keys()].filter((key) => JSON.parse(key)[0] === author)
    return {
      get: async (key: unknown) => structuredClone(entries.get(keyOf(key))),
      getKey: async (key: unknown) => (entries.has(keyOf(key)) ? key : undefined),
      getAll: async (author: string) => ofAuthor(author).map((key) => structuredClone(entries.get(key))),
      put: async (value: unknown, key: unknown) => {
        if (name === 'messages') refuse('put')
        entries.set(keyOf(key), structuredClone(value))
      },
      delete: async (key: unknown) => {
        if (name === 'messages') refuse('delete')
        if (typeof key === 'string') for (const entry of ofAuthor(key)) entries.delete(entry)
        else entries.delete(keyOf(key))
      },
    }
  }
  return {
    refused,
    /** How many messages it contains. */
    count: () => stores['messages']?.size,
    openDatabase: async () => ({ transaction: (name: string) => ({ store: storeOf(name), done: Promise.resolve() }) }),
  }
}
