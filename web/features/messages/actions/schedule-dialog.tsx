import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { explainFailure, fieldText } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { serverNow } from '../../../ui/format/clock.ts'
import { localTime } from '../../../ui/format/local-time.ts'
import { ownTime, REMIND_HOURS, timeFrom } from './remind-times.ts'
import { type ScheduleChoice, scheduleTimes } from './schedule-times.ts'
import { OwnTime, TimeChoices } from './time-choices.tsx'

interface Props {
  title: string
  /** The time zone of the only other person in the conversation. */
  theirZone?: string | undefined
  /** Something to consider. */
  note?: string | undefined
  /** The time that was chosen before. */
  sendAt?: string | undefined
  /** Schedules the message for a time; if that fails, the dialog stays. */
  onSchedule: (sendAt: string) => Promise<unknown>
  onClose: () => void
}

/** Asks when a message is to be sent. Choosing a time schedules it. Lazy-loaded. */
export default function ScheduleDialog({ title, theirZone, note, sendAt, onSchedule, onClose }: Props) {
  const [own, setOwn] = useState(() => localTime(new Date(firstTime(sendAt))))
  const [isPast, setPast] = useState(false)
  const { mutate, isPending, error } = useMutation({
    // Offline it fails at once, instead of waiting without a word.
    networkMode: 'always',
    mutationFn: (time: Date) => onSchedule(time.toISOString()),
    onSuccess: onClose,
    onError: (failure) => console.error('Failed to schedule a message:', failure),
  })
  function schedule(time: Date | undefined) {
    setPast(!time)
    if (time && !isPending) mutate(time)
  }
  function submit(event: SubmitEvent) {
    event.preventDefault()
    schedule(ownTime(own, now()))
  }
  const isRefusedTime = isPast || fieldText(error, 'sendAt') !== undefined
  return (
    <Dialog title={title} onClose={onClose}>
      <form noValidate onSubmit={submit} className="px-6 pb-6 max-wide:px-(--gutter)">
        <TimeChoices
          label={t('scheduled.when')}
          choices={scheduleTimes(now(), theirZone).map(({ choice, time }) => ({ choice, time, name: nameOf(choice) }))}
          isBusy={isPending}
          hasFocus
          onChoose={(choice, shown) => schedule(timeFrom(choice, shown, now()))}
        />
        <OwnTime
          value={own}
          problem={isRefusedTime ? t('later.inPast') : undefined}
          action={t('scheduled.schedule')}
          isBusy={isPending}
          onChange={setOwn}
        />
        {note && <p className="mt-3 text-meta text-soft">{note}</p>}
        {error && !isRefusedTime && (
          <p role="alert" className="mt-3 text-danger text-meta">
            {explainFailure(t('scheduled.failed'), error)}
          </p>
        )}
      </form>
    </Dialog>
  )
}

const now = () => new Date(serverNow())

/** The time chosen before, if it is to come; otherwise in an hour. */
function firstTime(sendAt: string | undefined) {
  const before = Date.parse(sendAt ?? '')
  return before > serverNow() ? before : serverNow() + 3_600_000
}

function nameOf(choice: ScheduleChoice) {
  switch (choice) {
    case 'hours':
      return t('later.inHours', { hours: REMIND_HOURS })
    case 'tomorrow':
      return t('later.tomorrow')
    case 'monday':
      return t('later.monday')
    case 'theirs':
      return t('scheduled.theirMorning')
  }
}
