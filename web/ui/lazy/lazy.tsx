import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { useBufferedKeys } from '../device/buffered-keys.ts'
import { LoadError } from '../feedback/load-error.tsx'

type Load<P> = () => Promise<{ default: ComponentType<P> }>

/** What is here already, by what loads it: that is shown at once. */
const loaded = new WeakMap<object, unknown>()

/** Fetches a part ahead of its time. Whether it came shows when it is needed. */
export const preload = <P,>(load: Load<P>) =>
  load().then(
    (module) => {
      loaded.set(load, module.default)
      return module.default
    },
    (error) => {
      console.error('A part of the page could not be loaded:', error)
      return undefined
    },
  )

/**
 * A part whose code comes when it is first needed. Unlike React's lazy() it can be asked for again after it could not
 * be loaded, and nothing on the page breaks over it.
 */
export function useLazy<P>(load: Load<P>) {
  const [Part, setPart] = useState(() => loaded.get(load) as ComponentType<P> | undefined)
  const [failed, setFailed] = useState(false)
  const fetch = async () => {
    const loaded = await preload(load)
    setFailed(!loaded)
    if (loaded) setPart(() => loaded)
  }
  return { Part, failed, fetch }
}

interface LazyProps<P> {
  load: Load<P>
  /** Stands in its place until it is there. */
  waiting?: ReactNode
  /** Whether somebody has just asked for it, and goes on typing into it. */
  takesKeys?: boolean
}

/** A part of a page whose code comes when it is first shown. Its `load` is one function, not a new one each time. */
export function Lazy<P extends object>({ load, waiting = null, takesKeys = false, ...props }: P & LazyProps<P>) {
  const { Part, failed, fetch } = useLazy(load)
  useBufferedKeys(takesKeys && !Part && !failed)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; the function is new with each rendering
  useEffect(() => {
    if (!Part) void fetch()
  }, [])
  if (Part) return <Part {...(props as unknown as P)} />
  return failed ? <LoadError text="Could not load this" retry={fetch} isRetried /> : waiting
}
