import { FrequentlyUsed, Store } from 'emoji-mart'
import { readJson, saveItem } from '../ui/device/local-storage.ts'
import { isInPicker } from './picker-data.ts'

/** Emoji ids and how often each was picked, latest first. */
type Picked = [id: string, times: number][]

/** Gives emoji-mart a separate history per user; by default it has one per browser. */
export function showRecentsOf(person: string) {
  const keyOf = (key: string) => `parley.emoji.${person}.${key}`
  const get = (key: string) => readJson(keyOf(key))
  const set = (key: string, value: unknown) => saveItem(keyOf(key), JSON.stringify(value))
  const picked = (): Picked => (get('picked') ?? []) as Picked

  Object.assign(Store, { get, set })
  Object.assign(FrequentlyUsed, {
    add({ id }: { id: string }) {
      const before = picked()
      const times = before.find(([other]) => other === id)?.[1] ?? 0
      set('picked', [[id, times + 1], ...before.filter(([other]) => other !== id)])
    },
    /** The library's defaults fill up the first row. */
    get({ maxFrequentRows, perLine }: { maxFrequentRows: number; perLine: number }) {
      const often = picked()
        .sort(([, a], [, b]) => b - a)
        .map(([id]) => id)
        .filter(isInPicker)
        .slice(0, maxFrequentRows * perLine)
      return [...new Set([...often, ...FrequentlyUsed.DEFAULTS])].slice(0, Math.max(perLine, often.length))
    },
  })
}
