import { useSyncExternalStore } from 'react'
import { keep, recall } from '../ui/device/local-storage.ts'

/** What a person can choose for this device; the first of each holds until they do. */
export const choices = {
  /** Whether a bare letter does something while a message has the focus. */
  letters: ['on', 'off'],
  /** Which new messages are read out to those who hear the page. */
  announce: ['all', 'mentions', 'off'],
} as const

type Name = keyof typeof choices
type Choice<N extends Name> = (typeof choices)[N][number]

/** Made on this page; they hold also where this device keeps nothing. */
const made = new Map<Name, string>()
const watchers = new Set<() => void>()
const keyOf = (name: Name) => `parley.${name}`

export function chosen<N extends Name>(name: N): Choice<N> {
  const all: readonly Choice<N>[] = choices[name]
  const wanted = made.get(name) ?? recall(keyOf(name))
  return all.find((it) => it === wanted) ?? (all[0] as Choice<N>)
}

export function choose<N extends Name>(name: N, choice: Choice<N>) {
  made.set(name, choice)
  keep(keyOf(name), choice)
  tell()
}

export const useChosen = <N extends Name>(name: N) => useSyncExternalStore(watch, () => chosen(name))

function tell() {
  for (const watcher of watchers) watcher()
}

/** Another tab chose. */
function hear({ key }: StorageEvent) {
  for (const name of made.keys()) if (keyOf(name) === key) made.delete(name)
  tell()
}

function watch(watcher: () => void) {
  if (watchers.size === 0) window.addEventListener('storage', hear)
  watchers.add(watcher)
  return () => {
    watchers.delete(watcher)
    if (watchers.size === 0) window.removeEventListener('storage', hear)
  }
}
