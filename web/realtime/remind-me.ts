import type { QueryClient } from '@tanstack/react-query'
import type { LaterItem } from '#contract/later'
import type { Message } from '#contract/messages'
import { cachedChannel } from '../features/channels/cache/channel-cache.ts'
import { titleOf } from '../features/channels/cache/channel-title.ts'
import { isDue, myLater, savedMessages } from '../features/messages/sync/later-queries.ts'
import { notify } from '../features/notifications/notification-bus.ts'
import { isWindowOnScreen } from '../features/notifications/on-screen.ts'
import { withTexts } from '../i18n/language.ts'
import { t } from '../i18n/text.ts'
import { paths } from '../paths.ts'
import { shownName } from '../people/shown-name.ts'
import { showToast } from '../ui/feedback/toast.tsx'
import { cutText } from '../ui/format/graphemes.ts'
import { plainText } from '../ui/format/plain-text.ts'
import { amQuiet } from './my-quietness.ts'

const TOAST_MS = 15_000
/** More that are due at once are only counted. */
const MAX_NAMED = 5
/** Characters of the text in a toast. */
const MAX_SHOWN = 120

/** Reminds me of items whose time has come: in the window, and by a notification while it is in the background. Lazy-loaded. */
export async function remindMe(
  client: QueryClient,
  items: readonly LaterItem[],
  me: string,
  open: (address: string) => unknown,
) {
  if (await amQuiet(client)) return
  const show = { name: t('later.show'), act: () => void open(paths.later) }
  // Such as after a night without a connection.
  if (items.length > MAX_NAMED)
    return void showToast(t('later.dueCount', { count: items.length }), { action: show, durationMs: TOAST_MS })
  const messages = await readMessages(client, items)
  await withTexts(async () => {
    for (const item of items) {
      const message = messages.find(({ id }) => id === item.messageId)
      const text = item.text ?? message?.content ?? ''
      const title = titleFor(client, message, me)
      showToast(toastText(title, text), { action: show, durationMs: TOAST_MS })
      notify({
        id: `${item.id} ${item.remindedAt}`,
        address: paths.later,
        authorId: message?.userId ?? me,
        title,
        content: text,
        isRead: () => !client.getQueryData(myLater.queryKey)?.some((it) => it.id === item.id && isDue(it)),
        isOnScreen: isWindowOnScreen,
      })
    }
  })
}

/** Without the messages, the reminder says only that it is due. */
async function readMessages(client: QueryClient, items: readonly LaterItem[]): Promise<Message[]> {
  const ids = items.flatMap(({ messageId }) => messageId ?? [])
  if (ids.length === 0) return []
  return client.fetchQuery(savedMessages(ids)).catch((error) => {
    console.error('Failed to load the message of a reminder:', error)
    return []
  })
}

/** 'Reminder', or whose message it is about, and where. */
function titleFor(client: QueryClient, message: Message | undefined, me: string) {
  const channel = message && cachedChannel(client, message.channelId)
  if (!channel) return t('later.notice')
  return t('later.noticeOf', { name: shownName(message.user.name), place: titleOf(channel, me) })
}

function toastText(title: string, content: string) {
  const text = plainText(content).replace(/\s+/g, ' ').trim()
  const shown = cutText(text, MAX_SHOWN)
  return shown === '' ? title : t('later.noticeText', { title, text: shown })
}
