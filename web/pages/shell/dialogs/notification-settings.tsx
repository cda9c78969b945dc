import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Channel } from '#contract/channels'
import { setChannelLevel } from '#contract/notifications'
import { call } from '../../../api-client/api.ts'
import { failureText } from '../../../api-client/failure-text.ts'
import { applyLevel } from '../../../features/channels/cache/channel-flags.ts'
import { allChannels } from '../../../features/channels/cache/channel-queries.ts'
import { titleOf } from '../../../features/channels/cache/channel-title.ts'
import { DefaultLevel, Keywords } from '../../../features/notifications/default-level.tsx'
import { NotificationChoice } from '../../../features/notifications/notification-choice.tsx'
import { PushSection } from '../../../features/notifications/push/push-section.tsx'
import { ScheduleSettings } from '../../../features/notifications/schedule-form.tsx'
import { compareNames } from '../../../i18n/format.ts'
import { t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import { levelName } from '../../../people/level-choice.tsx'
import { Button } from '../../../ui/input/button.tsx'

/** Notifications on this device, what notifies me in channels, when, and where I chose something else. */
export function NotificationSettings() {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <NotificationChoice />
      {/* Where notifications are impossible, not even its line. */}
      <div className="border-line border-t pt-5 empty:hidden">
        <PushSection />
      </div>
      <div className="border-line border-t pt-5">
        <DefaultLevel />
      </div>
      <div className="border-line border-t pt-5">
        <Keywords />
      </div>
      {/* Without schedules, not even its line. */}
      <div className="border-line border-t pt-5 empty:hidden">
        <ScheduleSettings />
      </div>
      <ChosenLevels />
    </div>
  )
}

/** The conversations for which I chose something else. */
function ChosenLevels() {
  const me = useMe()
  const { data = {} } = useQuery(allChannels)
  const chosen = Object.values(data)
    .filter(({ isMember, notificationLevel }) => isMember && notificationLevel)
    .map((channel) => ({ channel, title: titleOf(channel, me.id) }))
    .sort((a, b) => compareNames(a.title, b.title))
  if (chosen.length === 0) return null
  return (
    <section className="border-line border-t pt-5">
      <h4 className="mb-1.5 font-[550] text-ui">{t('notifications.chosen')}</h4>
      <ul className="grid gap-1">
        {chosen.map(({ channel, title }) => (
          <ChosenLevel key={channel.id} channel={channel} title={title} />
        ))}
      </ul>
    </section>
  )
}

function ChosenLevel({ channel, title }: { channel: Channel; title: string }) {
  const client = useQueryClient()
  const { id: channelId, notificationLevel } = channel
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(setChannelLevel, { params: { channelId }, body: { level: null } }),
    onSuccess: () => applyLevel(client, { channelId, notificationLevel: null }),
    onError: (failure) => console.error('Failed to reset what notifies me in a conversation:', failure),
  })
  return (
    <li className="flex min-h-10 flex-wrap items-center gap-x-3 text-ui">
      <bdi className="min-w-0 flex-1 truncate">{title}</bdi>
      <span className="text-soft">{notificationLevel && levelName(notificationLevel)}</span>
      <Button
        variant="line"
        isBusy={isPending}
        aria-label={t('notifications.resetOf', { place: title })}
        onClick={() => mutate()}
      >
        {t('notifications.reset')}
      </Button>
      {error && (
        <p role="alert" className="w-full text-danger text-meta">
          {failureText(t('notifications.levelFailed'), error)}
        </p>
      )}
    </li>
  )
}
