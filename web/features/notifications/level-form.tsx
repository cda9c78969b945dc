import { useMutation } from '@tanstack/react-query'
import { type ComponentProps, type SubmitEvent, useState } from 'react'
import type { NotificationLevel } from '#contract/notification-rule'
import { failureText } from '../../api-client/failure-text.ts'
import { t } from '../../i18n/text.ts'
import { LevelChoice } from '../../people/level-choice.tsx'
import { Button } from '../../ui/input/button.tsx'

interface Props extends Omit<ComponentProps<typeof LevelChoice>, 'onChoose'> {
  /** Below the levels. */
  hint?: string
  save: (level: NotificationLevel | null) => Promise<unknown>
}

/** Chooses a level, and saves it with a button, so that arrow keys don't. */
export function LevelForm({ value: current, hint, save, ...choice }: Props) {
  const [chosen, setChosen] = useState<NotificationLevel | null>()
  const level = chosen === undefined ? current : chosen
  const saving = useMutation({
    mutationFn: save,
    onSuccess: (_, saved) => setChosen((now) => (now === saved ? undefined : now)),
    onError: (failure) => console.error('Failed to save what notifies:', failure),
  })

  // Not disabled, which would lose the focus.
  const isIdle = saving.isPending || level === current

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (!isIdle) saving.mutate(level)
  }

  return (
    <form className="grid gap-4" onSubmit={submit}>
      <LevelChoice
        {...choice}
        value={level}
        onChoose={(next) => {
          setChosen(next)
          if (!saving.isPending) saving.reset()
        }}
      />
      {hint && <p className="-mt-2 text-pretty text-faint text-meta">{hint}</p>}
      <div className="flex items-center gap-3">
        <Button type="submit" variant="pine" isBusy={isIdle}>
          {t('ui.save')}
        </Button>
        <span role="status" className="text-pine text-ui">
          {saving.isSuccess && chosen === undefined && t('retention.saved')}
        </span>
      </div>
      {saving.error && (
        <p role="alert" className="text-danger text-ui">
          {failureText(t('notifications.levelFailed'), saving.error)}
        </p>
      )}
    </form>
  )
}
