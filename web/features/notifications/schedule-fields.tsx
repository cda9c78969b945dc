import { useId } from 'react'
import { t } from '../../i18n/text.ts'
import { allZones, browserZone } from '../../i18n/time-zones.ts'
import { weekdayName, weekdays } from '../../i18n/week.ts'
import { Field } from '../../ui/input/field.tsx'
import { SearchSelect } from '../../ui/input/search-select.tsx'
import type { MissingPart, ScheduleDraft } from './schedule-draft.ts'

interface Props {
  draft: ScheduleDraft
  missing: MissingPart | undefined
  onChange: (part: Partial<ScheduleDraft>) => void
}

/** The days, the hours and the time zone in which I may be notified. */
export function ScheduleFields({ draft, missing, onChange }: Props) {
  const { days, from, to, timeZone } = draft
  const noTime = t('notifications.schedule.noTime')
  return (
    <>
      <Days days={days} isMissing={missing === 'days'} onChange={(next) => onChange({ days: next })} />
      <div className="grid grid-cols-2 gap-3">
        <Field
          label={t('notifications.schedule.from')}
          type="time"
          value={from}
          error={missing === 'from' ? noTime : undefined}
          onChange={({ target }) => onChange({ from: target.value })}
        />
        <Field
          label={t('notifications.schedule.to')}
          type="time"
          value={to}
          hint={endHint(from, to)}
          error={missing === 'to' ? noTime : undefined}
          onChange={({ target }) => onChange({ to: target.value })}
        />
      </div>
      <SearchSelect
        label={t('users.card.timeZone')}
        options={zonesWith(timeZone).map((zone) => ({ value: zone, name: zone.replaceAll('_', ' ') }))}
        value={timeZone}
        onChange={(zone) => onChange({ timeZone: zone })}
      />
    </>
  )
}

interface DaysProps {
  days: readonly number[]
  isMissing: boolean
  onChange: (days: number[]) => void
}

function Days({ days, isMissing, onChange }: DaysProps) {
  const id = useId()
  return (
    <fieldset aria-describedby={isMissing ? id : undefined}>
      <legend className="mb-1.5 font-[550] text-ui">{t('notifications.schedule.days')}</legend>
      <div className="flex flex-wrap gap-1.5">
        {weekdays().map((day) => (
          <label
            key={day}
            className="relative flex h-8 min-w-11 items-center justify-center rounded-s border border-line-control px-2 text-soft text-ui transition-colors hover:bg-hover has-checked:border-pine has-checked:bg-pine-wash has-checked:font-[550] has-checked:text-ink forced-colors:has-checked:border-3 forced-colors:has-checked:border-[Highlight] has-focus-visible:outline-2 has-focus-visible:outline-pine has-focus-visible:outline-offset-1 pointer-coarse:h-11"
          >
            <input
              type="checkbox"
              className="absolute inset-0 cursor-pointer opacity-0"
              aria-label={weekdayName(day, 'long')}
              checked={days.includes(day)}
              onChange={({ target }) => onChange(target.checked ? [...days, day] : days.filter((it) => it !== day))}
            />
            <span aria-hidden="true">{weekdayName(day, 'short')}</span>
          </label>
        ))}
      </div>
      {isMissing && (
        <p id={id} role="alert" className="mt-1.5 text-danger text-meta">
          {t('notifications.schedule.noDays')}
        </p>
      )}
    </fieldset>
  )
}

function endHint(from: string, to: string) {
  if (from === '' || to === '') return undefined
  if (from === to) return t('notifications.schedule.wholeDay')
  return to < from ? t('notifications.schedule.nextDay') : undefined
}

/** Browsers don't list all names that they know, such as 'UTC'. */
const zonesWith = (zone: string) => [...new Set([zone, browserZone(), ...allZones()])]
