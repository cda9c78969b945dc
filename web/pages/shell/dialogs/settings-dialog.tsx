import {
  Accessibility,
  Bell,
  ChevronLeft,
  ChevronRight,
  CircleDot,
  FileArchive,
  Keyboard,
  KeyRound,
  Laptop,
  type LucideIcon,
  Mail,
  Palette,
  ShieldCheck,
  UserRound,
  UserRoundX,
} from 'lucide-react'
import { type ComponentType, useEffect, useRef, useState } from 'react'
import { AnnounceChoice } from '../../../features/accessibility/announce-choice.tsx'
import { AppearanceSettings } from '../../../features/appearance/appearance-settings.tsx'
import { EmailSettings } from '../../../features/email/email-settings.tsx'
import { AccountPanel } from '../../../features/identity/deletion/account-panel.tsx'
import { PasswordForm } from '../../../features/identity/password-form.tsx'
import { AvailabilityChoice } from '../../../features/users/availability-choice.tsx'
import { ProfileSettings } from '../../../features/users/profile-settings.tsx'
import { type PlainTextId, t } from '../../../i18n/text.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { useRoving } from '../../../ui/list/roving.ts'
import BackCloses from '../back-closes.tsx'
import { DataSettings } from './data-settings.tsx'
import { DeviceSettings } from './device-settings.tsx'
import { KeyboardSettings } from './keyboard-settings.tsx'
import { NotificationSettings } from './notification-settings.tsx'
import { SecuritySettings } from './security-settings.tsx'

const sections = [
  { key: 'profile', name: 'settings.profile', Icon: UserRound, Content: ProfileSettings },
  { key: 'availability', name: 'users.availability.title', Icon: CircleDot, Content: AvailabilityChoice },
  { key: 'appearance', name: 'settings.appearance', Icon: Palette, Content: AppearanceSettings },
  { key: 'notifications', name: 'settings.notifications', Icon: Bell, Content: NotificationSettings },
  { key: 'keyboard', name: 'settings.keyboard', Icon: Keyboard, Content: KeyboardSettings },
  { key: 'accessibility', name: 'settings.accessibility', Icon: Accessibility, Content: AnnounceChoice },
  { key: 'email', name: 'settings.email', Icon: Mail, Content: EmailSettings },
  { key: 'password', name: 'settings.password', Icon: KeyRound, Content: PasswordForm },
  { key: 'security', name: 'settings.security', Icon: ShieldCheck, Content: SecuritySettings },
  { key: 'data', name: 'settings.data', Icon: FileArchive, Content: DataSettings },
  { key: 'devices', name: 'settings.devices', Icon: Laptop, Content: DeviceSettings },
  { key: 'account', name: 'settings.account', Icon: UserRoundX, Content: AccountPanel },
] as const satisfies { key: string; name: PlainTextId; Icon: LucideIcon; Content: ComponentType }[]

type SectionKey = (typeof sections)[number]['key']

/** Settings of my account and of this device: a list of sections beside the open one; on a phone one after the other. */
export default function SettingsDialog({ onClose }: { onClose: () => void }) {
  const [chosen, setChosen] = useState<SectionKey>()
  const back = useRef<HTMLButtonElement>(null)
  // On a phone the pressed row is hidden now. Elsewhere there is no button to focus.
  useEffect(() => {
    if (chosen) back.current?.focus()
  }, [chosen])

  function backToList() {
    const left = chosen
    setChosen(undefined)
    // After the dialog has moved the focus from the button that is gone.
    requestAnimationFrame(() => setTimeout(() => document.getElementById(`settings-${left}`)?.focus()))
  }

  const open = chosen ?? 'profile'
  return (
    <Dialog title={t('settings.title')} width="l" onClose={onClose}>
      {chosen && <BackCloses onBack={backToList} />}
      <div className="wide:grid wide:min-h-96 wide:grid-cols-[minmax(10rem,max-content)_minmax(0,1fr)] wide:pt-1 wide:ps-3">
        <SectionList open={open} isHidden={chosen !== undefined} onChoose={setChosen} />
        {sections.map(
          ({ key, name, Content }) =>
            key === open && (
              <section
                key={key}
                aria-label={t(name)}
                className={`wide:ms-3 wide:border-s wide:border-line px-6 pb-6 max-wide:px-(--gutter) ${chosen ? '' : 'max-wide:hidden'}`}
              >
                <button
                  ref={back}
                  type="button"
                  aria-label={t('settings.backFrom', { section: t(name) })}
                  onClick={backToList}
                  className="wide:hidden -mx-2 flex h-12 items-center gap-1 rounded-s px-1 font-[620] text-head focus-visible:-outline-offset-2"
                >
                  <ChevronLeft size={20} className="text-soft rtl:-scale-x-100" />
                  {t(name)}
                </button>
                <h3 className="mb-4 font-[620] text-head max-wide:sr-only wide:pt-1">{t(name)}</h3>
                <Content />
              </section>
            ),
        )}
      </div>
    </Dialog>
  )
}

interface ListProps {
  open: SectionKey
  /** On a phone, where the open section replaces it. */
  isHidden: boolean
  onChoose: (key: SectionKey) => void
}

/** A separate component, because its ref is set only once the dialog shows. */
function SectionList({ open, isHidden, onChoose }: ListProps) {
  const list = useRef<HTMLElement>(null)
  useRoving(list)
  return (
    <nav
      ref={list}
      aria-label={t('settings.title')}
      className={`wide:sticky wide:top-1 wide:self-start wide:pb-4 max-wide:p-2 ${isHidden ? 'max-wide:hidden' : ''}`}
    >
      <ul>
        {sections.map(({ key, name, Icon }) => (
          <li key={key}>
            <button
              type="button"
              id={`settings-${key}`}
              aria-current={key === open ? 'page' : undefined}
              onClick={() => onChoose(key)}
              className="flex h-(--row) w-full items-center gap-2.5 rounded-s px-3 text-soft text-ui hover:bg-hover focus-visible:-outline-offset-2 wide:aria-[current]:bg-selected wide:aria-[current]:font-[600] wide:aria-[current]:text-ink max-wide:h-12 max-wide:text-body max-wide:text-ink"
            >
              <Icon size={16} className="flex-none" />
              <span className="min-w-0 flex-1 truncate text-start">{t(name)}</span>
              <ChevronRight size={16} className="wide:hidden text-faint rtl:-scale-x-100" />
            </button>
          </li>
        ))}
      </ul>
    </nav>
  )
}
