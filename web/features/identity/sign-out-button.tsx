import { LogOut } from 'lucide-react'
import { type ComponentType, useState } from 'react'
import { t } from '../../i18n/text.ts'
import { IconButton } from '../../ui/input/icon-button.tsx'
import { LazyDialog } from '../../ui/lazy/lazy-dialog.tsx'

interface Props {
  load: () => Promise<{ default: ComponentType<{ onClose: () => void }> }>
}

/** Signs out. The loaded part asks first if anything unsent would be lost. */
export function SignOutButton({ load }: Props) {
  const [isLeaving, setLeaving] = useState(false)
  return (
    <>
      <IconButton name={t('identity.signOut.button')} onClick={() => setLeaving(true)} disabled={isLeaving}>
        <LogOut size={16} className="rtl:-scale-x-100" />
      </IconButton>
      {isLeaving && <LazyDialog load={load} onClose={() => setLeaving(false)} />}
    </>
  )
}
