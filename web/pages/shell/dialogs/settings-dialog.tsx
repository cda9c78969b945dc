import { Accessibility, Bell, ChevronLeft, ChevronRight, Keyboard, Laptop, Palette, UserRound } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { AnnounceChoice } from '../../../features/accessibility/announce-choice.tsx'
import { ThemeChoice } from '../../../features/appearance/theme-choice.tsx'
import { SessionList } from '../../../features/identity/session-list.tsx'
import { NotificationChoice } from '../../../features/notifications/notification-choice.tsx'
import { ProfileForm } from '../../../features/users/profile-form.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { useRoving } from '../../../ui/list/roving.ts'
import BackCloses from '../back-closes.tsx'
import { KeyboardSettings } from './keyboard-settings.tsx'

const sections = [
  { name: 'Profile', Icon: UserRound, Content: ProfileForm },
  { name: 'Appearance', Icon: Palette, Content: ThemeChoice },
  { name: 'Notifications', Icon: Bell, Content: NotificationChoice },
  { name: 'Keyboard', Icon: Keyboard, Content: KeyboardSettings },
  { name: 'Accessibility', Icon: Accessibility, Content: AnnounceChoice },
  { name: 'Devices', Icon: Laptop, Content: SessionList },
] as const

type SectionName = (typeof sections)[number]['name']

/** Settings of my account and of this device: a list of sections beside the open one; on a phone one after the other. */
export default function SettingsDialog({ onClose }: { onClose: () => void }) {
  const [chosen, setChosen] = useState<SectionName>()
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

  const open = chosen ?? 'Profile'
  return (
    <Dialog title="Settings" width="l" onClose={onClose}>
      {chosen && <BackCloses onBack={backToList} />}
      <div className="wide:grid wide:min-h-96 wide:grid-cols-[10rem_minmax(0,1fr)] wide:pt-1 wide:ps-3">
        <SectionList open={open} isHidden={chosen !== undefined} onChoose={setChosen} />
        {sections.map(
          ({ name, Content }) =>
            name === open && (
              <section
                key={name}
                aria-label={name}
                className={`wide:ms-3 wide:border-s wide:border-line px-6 pb-6 max-wide:px-(--gutter) ${chosen ? '' : 'max-wide:hidden'}`}
              >
                <button
                  ref={back}
                  type="button"
                  aria-label={`${name}, back to settings`}
                  onClick={backToList}
                  className="wide:hidden -mx-2 flex h-12 items-center gap-1 rounded-s px-1 font-[620] text-head focus-visible:-outline-offset-2"
                >
                  <ChevronLeft size={20} className="text-soft rtl:-scale-x-100" />
                  {name}
                </button>
                <h3 className="mb-4 font-[620] text-head max-wide:sr-only wide:pt-1">{name}</h3>
                <Content />
              </section>
            ),
        )}
      </div>
    </Dialog>
  )
}

interface ListProps {
  open: SectionName
  /** On a phone, where the open section is in its place. */
  isHidden: boolean
  onChoose: (name: SectionName) => void
}

/** A component of its own, because its ref is set only once the dialog shows. */
function SectionList({ open, isHidden, onChoose }: ListProps) {
  const list = useRef<HTMLElement>(null)
  useRoving(list)
  return (
    <nav
      ref={list}
      aria-label="Settings"
      className={`wide:sticky wide:top-1 wide:self-start wide:pb-4 max-wide:p-2 ${isHidden ? 'max-wide:hidden' : ''}`}
    >
      <ul>
        {sections.map(({ name, Icon }) => (
          <li key={name}>
            <button
              type="button"
              id={`settings-${name}`}
              aria-current={name === open ? 'page' : undefined}
              onClick={() => onChoose(name)}
              className="flex h-(--row) w-full items-center gap-2.5 rounded-s px-3 text-soft text-ui hover:bg-hover focus-visible:-outline-offset-2 wide:aria-[current]:bg-selected wide:aria-[current]:font-[600] wide:aria-[current]:text-ink max-wide:h-12 max-wide:text-body max-wide:text-ink"
            >
              <Icon size={16} className="flex-none" />
              <span className="min-w-0 flex-1 truncate text-start">{name}</span>
              <ChevronRight size={16} className="wide:hidden text-faint rtl:-scale-x-100" />
            </button>
          </li>
        ))}
      </ul>
    </nav>
  )
}
