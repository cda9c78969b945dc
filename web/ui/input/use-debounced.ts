import { useEffect, useState } from 'react'

const DEBOUNCE_MS = 150

/** A value that follows its argument once that has stopped changing. */
export function useDebounced<T>(value: T): T {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return debounced
}
