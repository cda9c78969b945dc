import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'
import { LateDialog } from '../../ui/late-dialog.tsx'
import type { SignOutProps } from './sign-out-dialog.tsx'

/** Needed most of all without a network: it has to be here by then. */
export const signOutDialog = () => import('./sign-out-dialog.tsx')

/** Signs out, and asks before anything unsent is lost. */
export function SignOutButton(props: Omit<SignOutProps, 'onClose'>) {
  const [isLeaving, setLeaving] = useState(false)
  return (
    <>
      <IconButton name="Sign Out" onClick={() => setLeaving(true)} disabled={isLeaving}>
        <LogOut size={16} />
      </IconButton>
      {isLeaving && <LateDialog load={signOutDialog} {...props} onClose={() => setLeaving(false)} />}
    </>
  )
}
