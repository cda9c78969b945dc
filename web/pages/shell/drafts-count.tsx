import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import type { ScheduledMessage } from '#contract/scheduled-messages'
import { useUnsent } from '../../features/messages/outbox/draft-list.ts'
import { myScheduled, refetchScheduled } from '../../features/messages/sync/scheduled-queries.ts'
import { formatNumber } from '../../i18n/format.ts'
import { t } from '../../i18n/text.ts'
import { useMe } from '../../me.tsx'
import { paths } from '../../paths.ts'
import { tellUnsent } from '../../realtime/tell-unsent.ts'
import { useIsLive } from '../../socket/first-connection.ts'
import { CountBadge } from '../../ui/count-badge.tsx'
import { serverNow } from '../../ui/format/clock.ts'

const NOTHING: ScheduledMessage[] = []

/**
 * The number of scheduled messages that could not be sent, or else of my drafts that are not on screen. Tells me when a
 * message could not be sent. Lazy-loaded.
 */
export default function DraftsCount() {
  const { data: scheduled = NOTHING, dataUpdatedAt } = useQuery({ ...myScheduled, enabled: useIsLive() })
  useFailures(scheduled, dataUpdatedAt)
  const failed = scheduled.filter(({ failure }) => failure).length
  const count = useUnsent().filter(({ isShown }) => !isShown).length
  if (failed > 0) return <CountBadge count={failed} label={t('scheduled.failedCount', { count: failed })} />
  return count > 0 && <span className="text-faint text-meta tabular-nums">{formatNumber(count)}</span>
}

/** How long after its time a message is asked for, if no event brought what became of it. */
const GRACE_MS = 10_000
const MAX_TIMEOUT_MS = 2 ** 31 - 1

function useFailures(items: ScheduledMessage[], fetchedAt: number) {
  const client = useQueryClient()
  const me = useMe()
  const navigate = useNavigate()
  const before = useRef<ScheduledMessage[]>(NOTHING)

  useEffect(() => {
    const waited = new Set(before.current.flatMap(({ id, failure }) => (failure ? [] : [id])))
    before.current = items
    const failed = items.filter(({ id, failure }) => failure && waited.has(id))
    if (failed.length > 0) void tellUnsent(client, failed, me.id, () => navigate(paths.scheduled))
  }, [items, client, me.id, navigate])

  // biome-ignore lint/correctness/useExhaustiveDependencies: after each fetch, even if it brought nothing new
  useEffect(() => {
    const times = items.flatMap(({ sendAt, failure }) => (failure ? [] : [Date.parse(sendAt)]))
    if (times.length === 0) return
    const delayMs = Math.max(Math.min(...times) - serverNow(), 0) + GRACE_MS
    const timer = setTimeout(() => void refetchScheduled(client), Math.min(delayMs, MAX_TIMEOUT_MS))
    return () => clearTimeout(timer)
  }, [items, client, fetchedAt])
}
