import type { ReactNode } from 'react'
import { ThemeChoice } from '../features/appearance/theme-choice.tsx'
import { SessionList } from '../features/identity/session-list.tsx'
import { NotificationChoice } from '../features/notifications/notification-choice.tsx'
import { ProfileForm } from '../features/users/profile-form.tsx'
import { Dialog } from '../ui/dialog.tsx'

/** What concerns me, and this device. */
export default function SettingsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Settings" onClose={onClose}>
      <Section title="Profile">
        <ProfileForm />
      </Section>
      <Section title="Notifications">
        <NotificationChoice />
      </Section>
      <Section title="Appearance">
        <ThemeChoice />
      </Section>
      <Section title="Devices">
        <SessionList />
      </Section>
    </Dialog>
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
