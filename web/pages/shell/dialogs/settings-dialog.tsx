import { Keyboard } from 'lucide-react'
import { useState } from 'react'
import { shortcutLabel } from '../../../browser/shortcuts.ts'
import { AnnounceChoice } from '../../../features/accessibility/announce-choice.tsx'
import { LettersChoice } from '../../../features/accessibility/letters-choice.tsx'
import { ThemeChoice } from '../../../features/appearance/theme-choice.tsx'
import { SessionList } from '../../../features/identity/session-list.tsx'
import { NotificationChoice } from '../../../features/notifications/notification-choice.tsx'
import { ProfileForm } from '../../../features/users/profile-form.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { DialogSection } from '../../../ui/dialog/dialog-section.tsx'
import { Button } from '../../../ui/input/button.tsx'
import ShortcutSheet from './shortcut-sheet.tsx'

/** Settings of my account and of this device. */
export default function SettingsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Settings" onClose={onClose}>
      <DialogSection title="Profile">
        <ProfileForm />
      </DialogSection>
      <DialogSection title="Appearance">
        <ThemeChoice />
      </DialogSection>
      <DialogSection title="Notifications">
        <NotificationChoice />
      </DialogSection>
      <DialogSection title="Keyboard">
        <LettersChoice />
        <SheetButton />
      </DialogSection>
      <DialogSection title="Accessibility">
        <AnnounceChoice />
      </DialogSection>
      <DialogSection title="Devices">
        <SessionList />
      </DialogSection>
    </Dialog>
  )
}

function SheetButton() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="line" aria-haspopup="dialog" className="mt-4 pointer-coarse:h-11" onClick={() => setOpen(true)}>
        <Keyboard size={16} />
        Keyboard shortcuts <span className="font-[400] text-faint pointer-coarse:hidden">{shortcutLabel('sheet')}</span>
      </Button>
      {isOpen && <ShortcutSheet onClose={() => setOpen(false)} />}
    </>
  )
}
