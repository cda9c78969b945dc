import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import type { LaterItem } from '#contract/later'
import { limits } from '#contract/limits'
import { explainFailure, fieldText } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { serverNow } from '../../../ui/format/clock.ts'
import { localTime } from '../../../ui/format/local-time.ts'
import { Button } from '../../../ui/input/button.tsx'
import { Field } from '../../../ui/input/field.tsx'
import { savedItem } from '../sync/later-queries.ts'
import { addReminder, changeReminder } from './later-actions.ts'
import { ownTime, REMIND_HOURS, REMIND_MINUTES, type RemindChoice, remindTimes, timeFrom } from './remind-times.ts'
import { OwnTime, TimeChoices } from './time-choices.tsx'

interface Props {
  /** The message to be reminded of; without it and an item, a text is asked for. */
  messageId?: string | undefined
  /** The item whose reminder is set. */
  item?: LaterItem | undefined
  onClose: () => void
}

/** Asks when to be reminded of a message, or of what. Choosing a time saves it. Lazy-loaded. */
export default function ReminderDialog({ messageId, item: given, onClose }: Props) {
  const item = given ?? (messageId === undefined ? undefined : savedItem(messageId))
  const { text, setText, save, isPending, problems } = useReminder({ messageId, item, onClose })
  const [first] = useState(() => localTime(new Date(firstTime(item))))
  const [own, setOwn] = useState(first)
  // Correcting a text leaves its time as it is.
  const keepsTime = item !== undefined && text !== undefined && own === first
  function submit(event: SubmitEvent) {
    event.preventDefault()
    save(keepsTime ? 'same' : ownTime(own, now()))
  }
  return (
    <Dialog
      title={item || messageId ? t('later.remind') : t('later.newReminder')}
      tools={
        item?.dueAt && (
          <Button variant="line" isBusy={isPending} onClick={() => save(null)}>
            {t('later.noReminder')}
          </Button>
        )
      }
      onClose={onClose}
    >
      <form noValidate onSubmit={submit} className="px-6 pb-6 max-wide:px-(--gutter)">
        {text !== undefined && (
          <div className="mb-4">
            <Field
              label={t('later.text')}
              placeholder={t('later.textHint')}
              dir="auto"
              autoComplete="off"
              autoFocus={!item}
              maxLength={limits.later.text}
              value={text}
              error={problems.text}
              onChange={({ target }) => setText(target.value)}
            />
          </div>
        )}
        <TimeChoices
          label={t('later.when')}
          choices={remindTimes(now()).map(({ choice, time }) => ({ choice, time, name: nameOf(choice) }))}
          isBusy={isPending}
          hasFocus={text === undefined}
          onChoose={(choice, shown) => save(timeFrom(choice, shown, now()))}
        />
        <OwnTime
          value={own}
          problem={problems.time}
          action={keepsTime ? t('ui.save') : t('later.remind')}
          isBusy={isPending}
          onChange={setOwn}
        />
        {problems.other && <Problem>{problems.other}</Problem>}
      </form>
    </Dialog>
  )
}

const Problem = ({ children }: { children: string }) => (
  <p role="alert" className="mt-3 text-danger text-meta">
    {children}
  </p>
)

/** What is written so far, undefined if it is a message, and how it is saved. */
function useReminder({ messageId, item, onClose }: Props) {
  const hasText = messageId === undefined && (!item || item.text !== null)
  const [text, setText] = useState(item?.text ?? '')
  const [missing, setMissing] = useState<'text' | 'time'>()
  const { mutate, isPending, error } = useMutation({
    // Offline it fails at once, instead of waiting without a word.
    networkMode: 'always',
    mutationFn: (time: Date | null | 'same') => {
      const dueAt = time instanceof Date ? time.toISOString() : null
      if (item) return changeReminder(item, { ...(time !== 'same' && { dueAt }), ...(hasText && { text }) })
      return addReminder(messageId === undefined ? { text } : { messageId }, dueAt ?? '')
    },
    onSuccess: onClose,
    onError: (failure) => console.error('Failed to set a reminder:', failure),
  })

  /** @param time null removes the reminder, 'same' leaves it, undefined is refused */
  function save(time: Date | null | 'same' | undefined) {
    const lacks = hasText && text.trim() === '' ? 'text' : time === undefined ? 'time' : undefined
    setMissing(lacks)
    if (time !== undefined && lacks === undefined && !isPending) mutate(time)
  }
  const problems = {
    text: missing === 'text' ? t('later.textMissing') : fieldText(error, 'text'),
    time: missing === 'time' || fieldText(error, 'dueAt') ? t('later.inPast') : undefined,
  }
  const other = error && !problems.text && !problems.time ? explainFailure(t('later.failed'), error) : undefined
  return { text: hasText ? text : undefined, setText, save, isPending, problems: { ...problems, other } }
}

const now = () => new Date(serverNow())

/** The time of the reminder, if it is to come; otherwise in an hour. */
function firstTime(item: LaterItem | undefined) {
  const due = Date.parse(item?.dueAt ?? '')
  return due > serverNow() ? due : serverNow() + 3_600_000
}

function nameOf(choice: RemindChoice) {
  switch (choice) {
    case 'minutes':
      return t('later.inMinutes', { minutes: REMIND_MINUTES })
    case 'hours':
      return t('later.inHours', { hours: REMIND_HOURS })
    case 'tomorrow':
      return t('later.tomorrow')
    case 'monday':
      return t('later.monday')
  }
}
