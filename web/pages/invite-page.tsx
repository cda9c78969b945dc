import { useEffect } from 'react'
import { useLate } from '../ui/late.tsx'
import { FullPageSpinner } from '../ui/spinner.tsx'
import { Trouble } from '../ui/trouble.tsx'

const welcome = () => import('./invite-welcome.tsx')

/** Where an invite link leads; most people come here never, so its code comes when it is needed. */
export function InvitePage() {
  const { Part: Welcome, failed, fetch } = useLate(welcome)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; the function is new with each rendering
  useEffect(() => void fetch(), [])
  if (Welcome) return <Welcome />
  if (failed) return <Trouble text="Parley cannot be reached; check your connection" retry={() => void fetch()} />
  return <FullPageSpinner>Loading authentication...</FullPageSpinner>
}
