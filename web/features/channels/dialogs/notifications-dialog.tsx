import { useMutation, useQueryClient } from '@tanstack/react-query'
import { BellOff } from 'lucide-react'
import { type SubmitEvent, useEffect, useState } from 'react'
import type { Channel } from '#contract/channels'
import type { NotificationLevel } from '#contract/notification-rule'
import { setChannelLevel } from '#contract/notifications'
import { call } from '../../../api-client/api.ts'
import { failureText } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import { LevelChoice, levelName } from '../../../people/level-choice.tsx'
import { sessionLevel } from '../../../session/session.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Button } from '../../../ui/input/button.tsx'
import { applyLevel } from '../cache/channel-flags.ts'
import { titleOf } from '../cache/channel-title.ts'

/** Chooses what notifies me in a conversation. */
export default function NotificationsDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const client = useQueryClient()
  const me = useMe()
  const { id: channelId, kind, muted, notificationLevel: current = null } = channel
  const [chosen, setChosen] = useState<NotificationLevel | null>()
  const level = chosen === undefined ? current : chosen
  const { mutate, isPending, error } = useMutation({
    mutationFn: (saved: NotificationLevel | null) =>
      call(setChannelLevel, { params: { channelId }, body: { level: saved } }),
    onSuccess: (_, saved) => {
      applyLevel(client, { channelId, notificationLevel: saved })
      // Another one may have been chosen meanwhile.
      if (saved === level) onClose()
    },
    onError: (failure) => console.error('Failed to choose what notifies me in a conversation:', failure),
  })

  useEffect(() => {
    if (!channel.isMember) onClose()
  }, [channel.isMember, onClose])

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (!isPending) mutate(level)
  }

  return (
    <Dialog
      title={t('notifications.ofPlace', { place: titleOf(channel, me.id) })}
      action={
        <Button type="submit" variant="pine" isBusy={isPending} disabled={level === current}>
          {t('ui.save')}
        </Button>
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="px-6 pt-2 pb-4 max-wide:px-(--gutter)">
        {muted && (
          <p className="mb-3 flex items-start gap-2 text-pretty text-soft text-ui">
            <BellOff size={16} className="mt-0.5 flex-none" />
            {t('notifications.isMuted')}
          </p>
        )}
        <LevelChoice
          legend={t('notifications.levelTitle')}
          isLegendHidden
          fallback={
            kind === 'direct'
              ? { name: t('notifications.level.default'), hint: t('notifications.level.directHint') }
              : {
                  name: t('notifications.level.default'),
                  hint: t('notifications.level.now', { level: levelName(sessionLevel()) }),
                }
          }
          value={level}
          onChoose={setChosen}
        />
        {error && (
          <p role="alert" className="mt-3 text-danger text-ui">
            {failureText(t('notifications.levelFailed'), error)}
          </p>
        )}
      </div>
    </Dialog>
  )
}
