import { ChevronRight, ShieldAlert, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import type { AuditEntry } from '#contract/audit'
import { dateFormat } from '../../i18n/format.ts'
import { t } from '../../i18n/text.ts'
import { withShownName } from '../../people/shown-person.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { useRelativeTime } from '../../ui/format/relative-time.ts'
import { Button } from '../../ui/input/button.tsx'
import { AuditSentence } from './audit-sentence.tsx'

interface Props {
  entry: AuditEntry
  /** Shows only the lines about a person. */
  onPerson: (person: { id: string; name: string }) => void
}

/** A line of the log. It opens to show the exact time and where it came from. */
export function AuditRow({ entry, onPerson }: Props) {
  const [isOpen, setOpen] = useState(false)
  const { at, address, device, kind } = entry
  const [actor, person] = [entry.actor && withShownName(entry.actor), entry.person && withShownName(entry.person)]
  const ago = useRelativeTime(at)
  const exact = dateFormat({ dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(at))
  const from = [device, address].filter(Boolean).join(' · ')
  return (
    <li className="border-line border-t first:border-t-0">
      <div
        className={`group relative grid grid-cols-[1.75rem_minmax(0,1fr)] items-center gap-x-3 gap-y-0.5 rounded-s px-3 py-2 text-ui hover:bg-hover @2xl:min-h-11 @2xl:grid-cols-[1.75rem_minmax(0,1fr)_15rem_7rem_1rem] ${isOpen ? 'bg-hover' : ''}`}
      >
        {/* Covers the whole line, below its links. First, so that the arrow keys reach it. */}
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={`${ago}: ${t('audit.more')}`}
          onClick={() => setOpen(!isOpen)}
          className="absolute inset-0 rounded-s focus-visible:-outline-offset-2"
        />
        <span className="@max-2xl:row-span-2 @max-2xl:self-start">
          {actor ? <Avatar id={actor.id} name={actor.name} size="m" /> : <Sign kind={kind} />}
        </span>
        <span className="text-pretty text-ink [overflow-wrap:anywhere]">
          <AuditSentence entry={entry} />
        </span>
        <span className="truncate text-faint text-meta @max-2xl:hidden" title={from}>
          <bdi>{from}</bdi>
        </span>
        <time dateTime={at} title={exact} className="text-faint text-meta tabular-nums @2xl:text-end">
          {ago}
        </time>
        <ChevronRight
          size={16}
          className={`text-faint transition-transform @max-2xl:hidden ${isOpen ? 'rotate-90' : 'rtl:-scale-x-100'}`}
        />
      </div>
      {isOpen && (
        <div className="flex flex-wrap items-center gap-x-6 gap-y-2 px-3 ps-13 pt-1 pb-3 text-soft text-ui">
          <span>{exact}</span>
          {device && <bdi>{device}</bdi>}
          {address && (
            <bdi dir="ltr" className="tabular-nums">
              {address}
            </bdi>
          )}
          {[actor, person].map(
            (about, index) =>
              about &&
              (index === 0 || about.id !== actor?.id) && (
                <Button key={about.id} variant="line" className="h-7" onClick={() => onPerson(about)}>
                  {t('audit.onlyPerson', { name: about.name })}
                </Button>
              ),
          )}
        </div>
      )}
    </li>
  )
}

/** Replaces the picture for acts without a signed-in user. */
function Sign({ kind }: { kind: string }) {
  const Icon = kind === 'sign_in_refused' ? ShieldAlert : ShieldCheck
  return (
    <span className="grid size-7 place-items-center rounded-m bg-sunk text-soft">
      <Icon size={16} className={kind === 'sign_in_refused' ? 'text-danger' : ''} />
    </span>
  )
}
