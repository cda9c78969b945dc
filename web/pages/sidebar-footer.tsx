import { Folder, type LucideIcon, Settings2, Upload } from 'lucide-react'
import { useState } from 'react'
import { SignOutButton } from '../features/identity/sign-out-button.tsx'
import { forgetAloud } from '../features/messages/aloud-kept.ts'
import { countUnsent, emptyOutbox } from '../features/messages/outbox.ts'
import { forgetSearches } from '../features/search/recent-searches.ts'
import { StatusButton } from '../features/users/status-button.tsx'
import { useMe } from '../me.tsx'
import { Button } from '../ui/button.tsx'
import { DialogButton } from '../ui/dialog-button.tsx'
import { LateDialog } from '../ui/late-dialog.tsx'
import { WorkspaceButton } from './workspace-button.tsx'

interface Props {
  isFilesOpen: boolean
  onFiles: () => void
}

const upload = () => import('./upload-dialog.tsx')

/** Files, and what concerns me: on a phone, which has no top bar, my status too. */
export function SidebarFooter({ isFilesOpen, onFiles }: Props) {
  const me = useMe()
  const [isUploading, setUploading] = useState(false)
  const leave = () => {
    emptyOutbox()
    forgetSearches(me.id)
    forgetAloud()
  }
  return (
    <>
      <FooterButton Icon={Upload} isOpen={isUploading} onClick={() => setUploading(true)}>
        Upload
      </FooterButton>
      <FooterButton Icon={Folder} isOpen={isFilesOpen} onClick={onFiles}>
        Files
      </FooterButton>
      {isUploading && <LateDialog load={upload} onClose={() => setUploading(false)} />}
      <div className="ml-auto flex items-center gap-1">
        <StatusButton className="wide:hidden" />
        <WorkspaceButton />
        <DialogButton name="Settings" load={() => import('./settings-dialog.tsx')}>
          <Settings2 size={16} />
        </DialogButton>
        <SignOutButton
          countUnsent={() => Object.values(countUnsent()).reduce((sum, count) => sum + count, 0)}
          onLeave={leave}
        />
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
  <Button aria-haspopup="dialog" aria-expanded={isOpen} className="pointer-coarse:h-11" onClick={onClick}>
    <Icon size={16} />
    {children}
  </Button>
)
