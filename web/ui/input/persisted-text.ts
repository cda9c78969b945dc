import { useState } from 'react'
import { readTabItem, saveTabItem } from '../device/local-storage.ts'

/**
 * Like useState, for a text that survives closing the dialog and reloading the page, until `forget` is called after
 * sending or discarding it, or the user signs out. Each tab has its own.
 * @param key unique per user and field
 */
export function usePersistedText(key: string, initial: string) {
  const name = `parley.form.${key}`
  const [text, setText] = useState(() => readTabItem(name) ?? initial)
  const forget = () => saveTabItem(name)
  function write(next: string) {
    setText(next)
    if (next === initial) return forget()
    saveTabItem(name, next)
  }
  return { text, write, forget }
}
