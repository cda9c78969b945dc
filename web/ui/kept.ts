import { useState } from 'react'

/** What was typed and not sent, for as long as the page is open. */
const kept = new Map<string, string>()

/**
 * As useState, for a text in what may be closed over it: it is there again the next time, until it is forgotten,
 * because it was sent or thrown away. The key says whose and of what it is.
 */
export function useKept(key: string, initial: string) {
  const [text, setText] = useState(() => kept.get(key) ?? initial)
  const forget = () => void kept.delete(key)
  function write(next: string) {
    setText(next)
    if (next === initial) forget()
    else kept.set(key, next)
  }
  return { text, write, forget }
}
