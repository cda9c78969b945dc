import { Folder, type LucideIcon, Settings, Upload } from 'lucide-react'
import { useState } from 'react'
import { SignOutButton } from '../../features/identity/sign-out-button.tsx'
import { StatusButton } from '../../features/users/status-button.tsx'
import { t } from '../../i18n/text.ts'
import { DialogButton } from '../../ui/dialog/dialog-button.tsx'
import { Button } from '../../ui/input/button.tsx'
import { LazyDialog } from '../../ui/lazy/lazy-dialog.tsx'
import { signOutDialog, uploadDialog } from './lazy-parts.ts'

interface Props {
  isFilesOpen: boolean
  onFiles: () => void
}

/** Buttons for files, settings and signing out; on a phone, which has no top bar, also for my status. */
export function SidebarFooter({ isFilesOpen, onFiles }: Props) {
  const [isUploading, setUploading] = useState(false)
  return (
    <>
      <FooterButton Icon={Upload} isOpen={isUploading} onClick={() => setUploading(true)}>
        {t('shell.upload')}
      </FooterButton>
      <FooterButton Icon={Folder} isOpen={isFilesOpen} onClick={onFiles}>
        {t('shell.files')}
      </FooterButton>
      {isUploading && <LazyDialog load={uploadDialog} onClose={() => setUploading(false)} />}
      <div className="ms-auto flex items-center gap-1">
        <StatusButton className="wide:hidden" />
        <DialogButton name={t('settings.title')} load={() => import('./dialogs/settings-dialog.tsx')}>
          <Settings size={16} />
        </DialogButton>
        <span className="ms-1 border-line border-s ps-2">
          <SignOutButton load={signOutDialog} />
        </span>
      </div>
    </>
  )
}

interface FooterButtonProps {
  Icon: LucideIcon
  isOpen: boolean
  onClick: () => void
  children: string
}

const FooterButton = ({ Icon, isOpen, onClick, children }: FooterButtonProps) => (
  <Button
    aria-haspopup="dialog"
    aria-expanded={isOpen}
    // A 360 px phone has no room for these icons beside an admin's buttons.
    className="min-w-0 px-2! pointer-coarse:h-11 max-[400px]:[&>svg]:hidden"
    onClick={onClick}
  >
    <Icon size={16} />
    <span className="truncate">{children}</span>
  </Button>
)
