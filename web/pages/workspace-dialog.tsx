import type { ReactNode } from 'react'
import { AccountList } from '../features/identity/account-list.tsx'
import { InviteLinks } from '../features/identity/invite-links.tsx'
import { Dialog } from '../ui/dialog.tsx'

/** For those who look after the workspace: how people come in, and who is here. */
export default function WorkspaceDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Workspace" onClose={onClose}>
      <Section title="Invite">
        <InviteLinks />
      </Section>
      <Section title="Everybody">
        <AccountList />
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
