import { useState } from 'react'
import { readTabItem, saveTabItem } from '../device/local-storage.ts'

/** What was typed and not sent, for as long as the page is open, where the browser keeps nothing for this tab. */
const inMemory = new Map<string, string>()

const nameOf = (key: string) => `parley.form.${key}`

/**
 * As useState, for a text in what may be closed over it: it is there again the next time, also after a reload, until it
 * is forgotten, because it was sent or thrown away. Each tab keeps its own. The key says whose and of what it is.
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
