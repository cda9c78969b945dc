import { Folder, type LucideIcon, Settings2, Upload } from 'lucide-react'
import { type ComponentType, useState } from 'react'
import { SignOutButton } from '../features/identity/sign-out-button.tsx'
import { countUnsent, emptyOutbox } from '../features/messages/outbox.ts'
import { StatusButton } from '../features/users/status-button.tsx'
import { Button } from '../ui/button.tsx'
import { DialogButton } from '../ui/dialog-button.tsx'
import { LateDialog } from '../ui/late-dialog.tsx'

/** Files, and what concerns me: on a phone, which has no top bar, my status too. */
export function SidebarFooter() {
  return (
    <>
      <FooterButton name="Upload" Icon={Upload} load={() => import('./upload-dialog.tsx')} />
      <FooterButton name="Files" Icon={Folder} load={() => import('./files-panel.tsx')} />
      <div className="ml-auto flex items-center gap-1">
        <StatusButton className="wide:hidden" />
        <DialogButton name="Settings" load={() => import('./settings-dialog.tsx')}>
          <Settings2 size={16} />
        </DialogButton>
        <SignOutButton countUnsent={countUnsent} onLeave={emptyOutbox} />
      </div>
    </>
  )
}

interface FooterButtonProps {
  name: string
  Icon: LucideIcon
  load: () => Promise<{ default: ComponentType<{ onClose: () => void }> }>
}

function FooterButton({ name, Icon, load }: FooterButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        className="pointer-coarse:h-11"
        onClick={() => setOpen((before) => !before)}
      >
        <Icon size={16} />
        {name}
      </Button>
      {isOpen && <LateDialog load={load} onClose={() => setOpen(false)} />}
    </>
  )
}
