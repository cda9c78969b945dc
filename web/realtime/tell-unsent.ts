import type { QueryClient } from '@tanstack/react-query'
import type { ScheduledMessage } from '#contract/scheduled-messages'
import { refusalText } from '../api-client/failure-text.ts'
import { cachedChannel } from '../features/channels/cache/channel-cache.ts'
import { titleOf } from '../features/channels/cache/channel-title.ts'
import { myScheduled } from '../features/messages/sync/scheduled-queries.ts'
import { notify } from '../features/notifications/notification-bus.ts'
import { isWindowOnScreen } from '../features/notifications/on-screen.ts'
import { t } from '../i18n/text.ts'
import { paths } from '../paths.ts'
import { showToast } from '../ui/feedback/toast.tsx'
import { amQuiet } from './my-quietness.ts'

const TOAST_MS = 15_000
/** More at once are only counted. */
const MAX_NAMED = 3

/** Says that scheduled messages could not be sent: in the window, and by a notification while it is in the background. */
export async function tellUnsent(
  client: QueryClient,
  failed: readonly ScheduledMessage[],
  me: string,
  open: () => unknown,
) {
  const options = { action: { name: t('later.show'), act: () => void open() }, durationMs: TOAST_MS }
  if (failed.length > MAX_NAMED) showToast(t('scheduled.failedCount', { count: failed.length }), options)
  const named = failed.slice(0, MAX_NAMED).map((message) => ({ ...message, title: titleFor(client, message, me) }))
  if (failed.length <= MAX_NAMED) for (const { title } of named) showToast(title, options)
  if (await amQuiet(client)) return
  for (const { id, rev, content, title } of named)
    notify({
      id: `${id} ${rev}`,
      address: paths.scheduled,
      authorId: me,
      title,
      content,
      isRead: () => !client.getQueryData(myScheduled.queryKey)?.some((it) => it.id === id && it.failure),
      isOnScreen: isWindowOnScreen,
    })
}

function titleFor(client: QueryClient, { channelId, channelName, failure }: ScheduledMessage, me: string) {
  const channel = cachedChannel(client, channelId)
  const known = channelName === null ? t('messages.unsent.unknown') : `#${channelName}`
  const place = channel ? titleOf(channel, me) : known
  return t('scheduled.failedIn', {
    place,
    why: refusalText(failure?.reason, failure?.values) ?? t('scheduled.refused'),
  })
}
