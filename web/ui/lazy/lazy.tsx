import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { withTexts } from '../../i18n/language.ts'
import { t } from '../../i18n/text.ts'
import { useBufferedKeys } from '../device/buffered-keys.ts'
import { LoadError } from '../feedback/load-error.tsx'
import { useRetry } from '../feedback/use-retry.ts'

type Load<P> = () => Promise<{ default: ComponentType<P> }>

/** Components loaded so far, by their loader. */
const loaded = new WeakMap<object, unknown>()

/** Loads a component in advance. A failure surfaces when it is needed. */
export const preload = <P,>(load: Load<P>) =>
  withTexts(load).then(
    (module) => {
      loaded.set(load, module.default)
      return module.default
    },
    (error) => {
      console.error('Failed to load part of the page:', error)
      return undefined
    },
  )

/**
 * A component loaded on demand. Unlike React's lazy() it can be retried after a failure, and its failure does not break
 * the page.
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
  /** Shown while it loads. */
  waiting?: ReactNode
  /** Whether `waiting` stays after a failure, instead of an error: for parts that are unrequested or dispensable. */
  isOptional?: boolean
  /** Whether the user just asked for it and is typing into it. */
  buffersKeys?: boolean
}

/** Renders a component loaded on demand. `load` must keep its identity between renders. */
export function Lazy<P extends object>({
  load,
  waiting = null,
  isOptional = false,
  buffersKeys = false,
  ...props
}: P & LazyProps<P>) {
  const { Part, failed, fetch } = useLazy(load)
  useBufferedKeys(buffersKeys && !Part && !failed)
  useRetry(fetch, failed ? 'failed' : 'idle')
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; the function is new with each rendering
  useEffect(() => {
    if (!Part) void fetch()
  }, [])
  if (Part) return <Part {...(props as unknown as P)} />
  return failed && !isOptional ? <LoadError text={t('ui.loadFailed')} retry={fetch} /> : waiting
}
