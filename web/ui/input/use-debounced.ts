import { useEffect, useState } from 'react'

/** Milliseconds between two keys of somebody who types. */
const DEBOUNCE_MS = 150

/** A value once it rests for a moment. */
export function useDebounced<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
