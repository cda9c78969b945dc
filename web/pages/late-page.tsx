import { type ComponentType, useEffect } from 'react'
import { useLate } from '../ui/late.tsx'
import { FullPageSpinner } from '../ui/spinner.tsx'
import { Trouble } from '../ui/trouble.tsx'

/** A page that most people come to seldom: its code comes when it is needed. Give it a key. */
export function LatePage({ load }: { load: () => Promise<{ default: ComponentType }> }) {
  const { Part: Page, failed, fetch } = useLate(load)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; the function is new with each rendering
  useEffect(() => void fetch(), [])
  if (Page) return <Page />
  if (failed) return <Trouble text="Parley cannot be reached; check your connection" retry={() => void fetch()} />
  return <FullPageSpinner>Loading authentication...</FullPageSpinner>
}
