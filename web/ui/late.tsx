import { type ComponentType, useState } from 'react'

/**
 * A part whose code comes when it is first needed. Unlike React's lazy() it can be asked for again after it could not
 * be loaded, and nothing on the page breaks over it.
 */
export function useLate<P>(load: () => Promise<{ default: ComponentType<P> }>) {
  const [Part, setPart] = useState<ComponentType<P>>()
  const [failed, setFailed] = useState(false)
  const fetch = () =>
    load().then(
      (module) => {
        setFailed(false)
        setPart(() => module.default)
      },
      (error) => {
        console.error('A part of the page could not be loaded:', error)
        setFailed(true)
      },
    )
  return { Part, failed, fetch }
}
