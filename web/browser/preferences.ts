import { useSyncExternalStore } from 'react'
import { readItem, saveItem } from '../ui/device/local-storage.ts'
import { createWatchers } from '../ui/watchers.ts'

/** Preferences of this device. The first option of each is the default. */
const preferences = {
  /** Whether single letters are shortcuts while a message has the focus. */
  letters: ['on', 'off'],
  /** Which new messages a screen reader announces. */
  announce: ['all', 'mentions', 'off'],
  /** Whether the sidebar shows the channels that I have not joined; by default only to newcomers. */
  notJoined: ['auto', 'shown', 'hidden'],
  /** Whether the formatting buttons are shown above text areas. */
  formatting: ['hidden', 'shown'],
  /** Whether messages are kept on this device (decision 28). */
  keep: ['on', 'off'],
  /** Whether links in messages show a preview. */
  previews: ['shown', 'hidden'],
  /** Whether new messages can be taken back for a few seconds, before they are sent. */
  undoSend: ['off', 'on'],
} as const

type Name = keyof typeof preferences
type Choice<N extends Name> = (typeof preferences)[N][number]

/** Preferences set on this page, for devices without storage. */
const chosen = new Map<Name, string>()
const keyOf = (name: Name) => `parley.${name}`

export function readPreference<N extends Name>(name: N): Choice<N> {
  const options: readonly Choice<N>[] = preferences[name]
  const stored = chosen.get(name) ?? readItem(keyOf(name))
  return options.find((option) => option === stored) ?? (options[0] as Choice<N>)
}

export function setPreference<N extends Name>(name: N, choice: Choice<N>) {
  chosen.set(name, choice)
  saveItem(keyOf(name), choice)
  notify()
}

export const usePreference = <N extends Name>(name: N) => useSyncExternalStore(watch, () => readPreference(name))

/** Follows a change in another tab. */
function onStorage({ key }: StorageEvent) {
  for (const name of chosen.keys()) if (keyOf(name) === key) chosen.delete(name)
  notify()
}

const { watch, notify } = createWatchers(() => {
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
})
