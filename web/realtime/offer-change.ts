import type { QueryClient } from '@tanstack/react-query'
import { type NotificationLevel, type NotifyingRule, notifyingRules } from '#contract/notification-rule'
import { changeKeywords, setChannelLevel } from '#contract/notifications'
import { call } from '../api-client/api.ts'
import { failureText } from '../api-client/failure-text.ts'
import { keywordIn } from '../cache/means-me.ts'
import { cachedChannel } from '../features/channels/cache/channel-cache.ts'
import { applyLevel } from '../features/channels/cache/channel-flags.ts'
import { titleOf } from '../features/channels/cache/channel-title.ts'
import { quotedMessage } from '../features/messages/sync/quoted-messages.ts'
import { setFollowing } from '../features/threads/thread-cursor.ts'
import { withTexts } from '../i18n/language.ts'
import { t } from '../i18n/text.ts'
import { levelName } from '../people/level-choice.tsx'
import type { OpenedPush } from '../ui/device/opened-push.ts'
import { showToast } from '../ui/feedback/toast.tsx'

export interface Told {
  rule: NotifyingRule
  /** Why it notified, as the notification said. */
  reason: string
  /** My keyword that the message contains, if that is why. */
  keyword: string | undefined
  channelId: string
  threadId: string | null
}

interface Change {
  name: string
  done: string
  make: () => Promise<unknown>
  undo: () => Promise<unknown>
}

/** Says why the notification that I opened appeared, and offers to change that with one click. Lazy-loaded. */
export function offerChange(client: QueryClient, told: Told, me: string) {
  return withTexts(async () => {
    const change = changeOf(client, told, me)
    if (change) showToast(told.reason, { isAtTop: true, action: { name: change.name, act: () => void make(change) } })
  })
}

/** The same for a pushed notification that I opened. */
export async function offerOpened(client: QueryClient, { rule: named, reason, message }: OpenedPush, me: string) {
  const rule = notifyingRules.find((it) => it === named)
  if (!rule) return
  const { id, channelId, threadId } = message
  const content = rule === 'keyword' ? await client.fetchQuery(quotedMessage(id)) : null
  await offerChange(
    client,
    { rule, reason, keyword: content ? keywordIn(content) : undefined, channelId, threadId },
    me,
  )
}

async function make({ done, make, undo }: Change) {
  const attempt = (act: () => Promise<unknown>) =>
    act().catch((error) => {
      console.error('Failed to change what notifies me:', error)
      showToast(failureText(t('notifications.levelFailed'), error))
      return 'failed'
    })
  if ((await attempt(make)) !== 'failed')
    showToast(done, { isAtTop: true, action: { name: t('ui.undo'), act: () => void attempt(undo) } })
}

function changeOf(client: QueryClient, { rule, keyword, channelId, threadId }: Told, me: string): Change | undefined {
  if (keyword !== undefined) {
    const change = (body: { add?: string[]; remove?: string[] }) => call(changeKeywords, { body })
    return {
      name: t('notifications.keywords.removeOne', { word: keyword }),
      done: t('notifications.keywords.removed', { word: keyword }),
      make: () => change({ remove: [keyword] }),
      undo: () => change({ add: [keyword] }),
    }
  }
  // The message no longer contains it.
  if (rule === 'keyword') return undefined
  if (rule === 'thread' && threadId !== null) {
    const follow = (isFollowing: boolean) => setFollowing(client, { channelId, threadId }, isFollowing)
    return {
      name: t('notifications.unfollow'),
      done: t('threads.unfollowed'),
      make: () => follow(false),
      undo: () => follow(true),
    }
  }
  const channel = cachedChannel(client, channelId)
  if (!channel?.isMember) return undefined
  const before = channel.notificationLevel ?? null
  const level: NotificationLevel = rule === 'everything' ? 'mentions' : 'nothing'
  const place = titleOf(channel, me)
  const set = async (notificationLevel: NotificationLevel | null) => {
    await call(setChannelLevel, { params: { channelId }, body: { level: notificationLevel } })
    applyLevel(client, { channelId, notificationLevel })
  }
  return {
    name: rule === 'everything' ? t('notifications.onlyMentions') : t('notifications.nothingHere'),
    done: t('notifications.nowIn', { place, level: levelName(level) }),
    make: () => set(level),
    undo: () => set(before),
  }
}
