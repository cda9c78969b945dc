import { FrequentlyUsed, Store } from 'emoji-mart'
import { readJson, saveItem } from '../device/local-storage.ts'

/** An emoji's id, and how often it was picked; the last one picked comes first. */
type Picked = [id: string, times: number][]

/** The library keeps one memory per browser, and in the page; here everyone who uses the browser has their own. */
export function showRecentsOf(person: string) {
  const at = (key: string) => `parley.emoji.${person}.${key}`
  const get = (key: string) => readJson(at(key))
  const set = (key: string, value: unknown) => saveItem(at(key), JSON.stringify(value))
  const picked = (): Picked => (get('picked') ?? []) as Picked

  Object.assign(Store, { get, set })
  Object.assign(FrequentlyUsed, {
    add({ id }: { id: string }) {
      const before = picked()
      const times = before.find(([it]) => it === id)?.[1] ?? 0
      set('picked', [[id, times + 1], ...before.filter(([it]) => it !== id)])
    },
    /** The first row is always full: what people like stands where nothing was picked yet. */
    get({ maxFrequentRows, perLine }: { maxFrequentRows: number; perLine: number }) {
      const often = picked()
        .sort(([, a], [, b]) => b - a)
        .slice(0, maxFrequentRows * perLine)
        .map(([id]) => id)
      return [...new Set([...often, ...FrequentlyUsed.DEFAULTS])].slice(0, Math.max(perLine, often.length))
    },
  })
}
