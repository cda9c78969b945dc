import { Keyboard } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { AnnounceChoice } from '../features/accessibility/announce-choice.tsx'
import { LettersChoice } from '../features/accessibility/letters-choice.tsx'
import { ThemeChoice } from '../features/appearance/theme-choice.tsx'
import { SessionList } from '../features/identity/session-list.tsx'
import { NotificationChoice } from '../features/notifications/notification-choice.tsx'
import { ProfileForm } from '../features/users/profile-form.tsx'
import { writtenKeys } from '../keys.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import ShortcutSheet from './shortcut-sheet.tsx'

/** What concerns me, and this device. */
export default function SettingsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Settings" onClose={onClose}>
      <Section title="Profile">
        <ProfileForm />
      </Section>
      <Section title="Appearance">
        <ThemeChoice />
      </Section>
      <Section title="Notifications">
        <NotificationChoice />
      </Section>
      <Section title="Keyboard">
        <LettersChoice />
        <SheetButton />
      </Section>
      <Section title="Accessibility">
        <AnnounceChoice />
      </Section>
      <Section title="Devices">
        <SessionList />
      </Section>
    </Dialog>
  )
}

function SheetButton() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="line" aria-haspopup="dialog" className="mt-4 pointer-coarse:h-11" onClick={() => setOpen(true)}>
        <Keyboard size={16} />
        Keyboard shortcuts <span className="font-[400] text-faint pointer-coarse:hidden">{writtenKeys('sheet')}</span>
      </Button>
      {isOpen && <ShortcutSheet onClose={() => setOpen(false)} />}
    </>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-line border-t px-6 pt-4 pb-5 first-of-type:border-t-0 first-of-type:pt-2">
      <h3 className="mb-3 font-[600] text-faint text-micro uppercase tracking-[0.05em]">{title}</h3>
      {children}
    </section>
  )
}
