import { limits } from '#contract/limits'
import { t } from '../../i18n/text.ts'
import { serverNow } from '../../ui/format/clock.ts'
import { localTime } from '../../ui/format/local-time.ts'
import { Checkbox } from '../../ui/input/checkbox.tsx'
import { Field } from '../../ui/input/field.tsx'
import { Select } from '../../ui/input/select.tsx'
import { type StatusEnd, statusEnds } from './status-end.ts'

export interface StatusDraft {
  text: string
  end: StatusEnd
  custom: string
  /** Whether do not disturb is on until it ends; undefined if that was not changed. */
  isQuiet?: boolean
}

interface Props {
  draft: StatusDraft
  onChange: (draft: StatusDraft) => void
  /** Whether do not disturb is on until the held status ends. */
  isQuietHeld: boolean
  problem: string | undefined
}

/** The text of the status, and when it ends. */
export function StatusFields({ draft, onChange, isQuietHeld, problem }: Props) {
  const { text, end, custom, isQuiet = isQuietHeld } = draft
  return (
    <div className="grid gap-3 wide:grid-cols-2">
      <Field
        label={t('users.status.text')}
        placeholder={t('users.status.placeholder')}
        dir="auto"
        autoComplete="off"
        maxLength={limits.statusText}
        value={text}
        onChange={({ target }) => onChange({ ...draft, text: target.value })}
      />
      <Select
        label={t('users.status.end')}
        options={statusEnds.map((value) => ({ value, name: nameOf(value) }))}
        value={end}
        onChange={(next) => onChange({ ...draft, end: next as StatusEnd, custom: custom || localTime(inAnHour()) })}
      />
      {end === 'custom' && (
        <div className="wide:col-start-2">
          <Field
            label={t('users.status.customEnd')}
            type="datetime-local"
            min={localTime(new Date(serverNow()))}
            value={custom}
            error={problem}
            onChange={({ target }) => onChange({ ...draft, custom: target.value })}
          />
        </div>
      )}
      {end !== 'never' && (
        <div className="wide:col-span-2">
          <Checkbox
            label={t('users.status.isQuiet')}
            checked={isQuiet}
            onChange={({ target }) => onChange({ ...draft, isQuiet: target.checked })}
          />
        </div>
      )}
    </div>
  )
}

const inAnHour = () => new Date(serverNow() + 3_600_000)

function nameOf(end: StatusEnd) {
  switch (end) {
    case 'never':
      return t('users.status.never')
    case 'today':
      return t('users.status.today')
    case 'week':
      return t('users.status.week')
    case 'custom':
      return t('users.status.custom')
    default:
      return Number(end) < 60
        ? t('users.status.minutes', { minutes: Number(end) })
        : t('users.status.hours', { hours: Number(end) / 60 })
  }
}
