import { useEffect, useState } from 'react'

/** Milliseconds between two keys of somebody who types. */
const PAUSE = 150

/** A value once it rests for a moment. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
