import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import type { NotificationSchedule } from '#contract/notification-schedule'
import { setNotificationSettings } from '#contract/notifications'
import { ApiError, call } from '../../api-client/api.ts'
import { explainFailure } from '../../api-client/failure-text.ts'
import { t } from '../../i18n/text.ts'
import { Button } from '../../ui/input/button.tsx'
import { Checkbox } from '../../ui/input/checkbox.tsx'
import { draftOf, type MissingPart, missingPart, type ScheduleDraft, savesSame, scheduleOf } from './schedule-draft.ts'
import { ScheduleFields } from './schedule-fields.tsx'
import { notificationSettings } from './settings-queries.ts'

/** When I may be notified. Empty while that is unknown, and with a server that has no schedules. */
export function ScheduleSettings() {
  const { data } = useQuery(notificationSettings)
  return data?.schedule === undefined ? null : <ScheduleForm saved={data.schedule} />
}

function ScheduleForm({ saved }: { saved: NotificationSchedule | null }) {
  const client = useQueryClient()
  const [changed, setChanged] = useState<ScheduleDraft>()
  const [missing, setMissing] = useState<MissingPart>()
  const draft = changed ?? draftOf(saved)
  const saving = useMutation({
    mutationFn: (of: ScheduleDraft) => call(setNotificationSettings, { body: { schedule: scheduleOf(of) } }),
    onSuccess: (settings, of) => {
      client.setQueryData(notificationSettings.queryKey, settings)
      setChanged((now) => (now && savesSame(now, of) ? undefined : now))
    },
    onError: (failure) => console.error('Failed to save when I may be notified:', failure),
  })
  // Not disabled, which would lose the focus.
  const isIdle = saving.isPending || savesSame(draft, draftOf(saved))

  function change(part: Partial<ScheduleDraft>) {
    setChanged({ ...draft, ...part })
    setMissing(undefined)
    if (!saving.isPending) saving.reset()
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (isIdle) return
    const lacks = missingPart(draft)
    setMissing(lacks)
    if (!lacks) saving.mutate(draft)
  }

  return (
    // Its own errors are in the language of the page.
    <form className="grid gap-4" noValidate onSubmit={submit}>
      <Checkbox
        label={t('notifications.schedule.on')}
        hint={t('notifications.schedule.hint')}
        checked={draft.isOn}
        onChange={({ target }) => change({ isOn: target.checked })}
      />
      {draft.isOn && <ScheduleFields draft={draft} missing={missing} onChange={change} />}
      <div className="flex items-center gap-3">
        <Button type="submit" variant="pine" isBusy={isIdle}>
          {t('ui.save')}
        </Button>
        <span role="status" className="text-pine text-ui">
          {saving.isSuccess && !changed && t('ui.saved')}
        </span>
      </div>
      {saving.error && (
        <p role="alert" className="text-danger text-ui">
          {isUnknownZone(saving.error)
            ? t('notifications.schedule.zoneUnknown')
            : explainFailure(t('notifications.schedule.failed'), saving.error)}
        </p>
      )}
    </form>
  )
}

const isUnknownZone = (error: unknown) =>
  error instanceof ApiError && error.reply?.problems?.['schedule.timeZone'] !== undefined
