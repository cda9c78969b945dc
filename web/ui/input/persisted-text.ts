import { useState } from 'react'
import { readTabItem, saveTabItem } from '../device/local-storage.ts'

/** For browsers that store nothing for this tab. */
const inMemory = new Map<string, string>()

const nameOf = (key: string) => `parley.form.${key}`

/**
 * Like useState, for a text that survives closing the dialog and reloading the page, until `forget` is called after
 * sending or discarding it. Each tab has its own.
 * @param key unique per user and field
 */
export function usePersistedText(key: string, initial: string) {
  const [text, setText] = useState(() => readTabItem(nameOf(key)) ?? inMemory.get(key) ?? initial)
  function forget() {
    inMemory.delete(key)
    saveTabItem(nameOf(key))
  }
  function write(next: string) {
    setText(next)
    if (next === initial) return forget()
    inMemory.set(key, next)
    saveTabItem(nameOf(key), next)
  }
  return { text, write, forget }
}
