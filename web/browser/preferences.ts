import { useSyncExternalStore } from 'react'
import { readItem, saveItem } from '../ui/device/local-storage.ts'
import { createWatchers } from '../ui/watchers.ts'

/** Choices for this device; the first of each is the default. */
export const preferences = {
  /** Whether a bare letter does something while a message has the focus. */
  letters: ['on', 'off'],
  /** Which new messages a screen reader announces. */
  announce: ['all', 'mentions', 'off'],
} as const

type Name = keyof typeof preferences
type Choice<N extends Name> = (typeof preferences)[N][number]

/** Choices made on this page, for devices without storage. */
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

/** Another tab changed a preference. */
function onStorage({ key }: StorageEvent) {
  for (const name of made.keys()) if (keyOf(name) === key) made.delete(name)
  notify()
}

const { watch, notify } = createWatchers(() => {
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
})
