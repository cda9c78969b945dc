import { Clock } from 'lucide-react'
import { t } from '../../../i18n/text.ts'
import { serverNow } from '../../../ui/format/clock.ts'
import { dueTime } from '../../../ui/format/due-time.ts'
import { localTime } from '../../../ui/format/local-time.ts'
import { Button } from '../../../ui/input/button.tsx'
import { Field } from '../../../ui/input/field.tsx'

interface ChoicesProps<Choice extends string> {
  /** For screen readers. */
  label: string
  choices: readonly { choice: Choice; name: string; time: Date }[]
  isBusy: boolean
  /** Whether the first one has the focus. */
  hasFocus: boolean
  /** Given the time that was shown. */
  onChoose: (choice: Choice, time: Date) => void
}

/** Times to choose with one click. */
export function TimeChoices<Choice extends string>({
  label,
  choices,
  isBusy,
  hasFocus,
  onChoose,
}: ChoicesProps<Choice>) {
  return (
    <ul aria-label={label} className="-mx-2">
      {choices.map(({ choice, name, time }, nth) => (
        <li key={choice}>
          <button
            type="button"
            // biome-ignore lint/a11y/noAutofocus: in a dialog, which has to focus something
            autoFocus={hasFocus && nth === 0}
            aria-disabled={isBusy || undefined}
            onClick={isBusy ? undefined : () => onChoose(choice, time)}
            className="flex h-9 w-full items-center gap-2.5 rounded-s px-2 text-start text-ui hover:bg-hover focus-visible:-outline-offset-2 active:bg-press pointer-coarse:h-11"
          >
            <Clock size={16} className="flex-none text-soft" />
            <span className="min-w-0 flex-1 truncate">{name}</span>
            <time dateTime={time.toISOString()} className="flex-none text-faint text-meta tabular-nums">
              {dueTime(time.toISOString())}
            </time>
          </button>
        </li>
      ))}
    </ul>
  )
}

interface OwnTimeProps {
  value: string
  problem: string | undefined
  /** The name of the button. */
  action: string
  isBusy: boolean
  onChange: (value: string) => void
}

/** The last row of a form: any other time, and the button that takes it. */
export function OwnTime({ value, problem, action, isBusy, onChange }: OwnTimeProps) {
  return (
    <div className="mt-4 flex items-start gap-2">
      <div className="min-w-0 flex-1">
        <Field
          label={t('later.ownTime')}
          type="datetime-local"
          min={localTime(new Date(serverNow()))}
          value={value}
          error={problem}
          onChange={({ target }) => onChange(target.value)}
        />
      </div>
      <Button type="submit" variant="pine" isBusy={isBusy} className="mt-6.5 h-10">
        {action}
      </Button>
    </div>
  )
}
