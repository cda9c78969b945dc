import { useSyncExternalStore } from 'react'
import { readItem, saveItem } from '../ui/device/local-storage.ts'
import { createWatchers } from '../ui/watchers.ts'

/** What a person can choose for this device; the first of each holds until they do. */
export const preferences = {
  /** Whether a bare letter does something while a message has the focus. */
  letters: ['on', 'off'],
  /** Which new messages are read out to those who hear the page. */
  announce: ['all', 'mentions', 'off'],
} as const

type Name = keyof typeof preferences
type Choice<N extends Name> = (typeof preferences)[N][number]

/** Made on this page; they hold also where this device keeps nothing. */
const made = new Map<Name, string>()
const keyOf = (name: Name) => `parley.${name}`

export function readPreference<N extends Name>(name: N): Choice<N> {
  const all: readonly Choice<N>[] = preferences[name]
  const wanted = made.get(name) ?? readItem(keyOf(name))
  return all.find((it) => it === wanted) ?? (all[0] as Choice<N>)
}

export function setPreference<N extends Name>(name: N, choice: Choice<N>) {
  made.set(name, choice)
  saveItem(keyOf(name), choice)
  notify()
}

export const usePreference = <N extends Name>(name: N) => useSyncExternalStore(watch, () => readPreference(name))

/** Another tab chose. */
function onStorage({ key }: StorageEvent) {
  for (const name of made.keys()) if (keyOf(name) === key) made.delete(name)
  notify()
}

const { watch, notify } = createWatchers(() => {
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
})
