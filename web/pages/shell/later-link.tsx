import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Bookmark } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { NavLink, useNavigate } from 'react-router'
import type { LaterItem } from '#contract/later'
import { shortcutLabel } from '../../browser/shortcuts.ts'
import { isDue, myLater, noteSaved } from '../../features/messages/sync/later-queries.ts'
import { t } from '../../i18n/text.ts'
import { useMe } from '../../me.tsx'
import { paths } from '../../paths.ts'
import { useIsLive } from '../../socket/first-connection.ts'
import { CountBadge } from '../../ui/count-badge.tsx'
import { serverNow } from '../../ui/format/clock.ts'

const NOTHING: LaterItem[] = []

/** The link to what I saved for later, with the number of due reminders. Reminds me of each when its time comes. */
export function LaterLink() {
  const { data: items = NOTHING } = useQuery({ ...myLater, enabled: useIsLive() })
  useEffect(() => {
    noteSaved(items)
    return () => noteSaved(NOTHING)
  }, [items])
  useReminders(items)
  const count = items.filter(isDue).length
  return (
    <NavLink
      to={paths.later}
      data-tip=""
      data-keys={shortcutLabel('later')}
      className={({ isActive }) =>
        `mx-2 mt-0.5 flex h-(--row) flex-none items-center gap-2 rounded-s px-2 focus-visible:-outline-offset-2 ${isActive ? 'bg-selected font-[600] text-ink' : `hover:bg-hover ${count > 0 ? 'font-[600] text-ink' : 'text-soft'}`}`
      }
    >
      <Bookmark size={16} />
      <span className="flex-1">{t('later.title')}</span>
      {count > 0 && <CountBadge count={count} label={t('later.dueCount', { count })} />}
    </NavLink>
  )
}

/** How long after its time a reminder is asked for, if no event brought it. */
const GRACE_MS = 5000
const MAX_TIMEOUT_MS = 2 ** 31 - 1

function useReminders(items: LaterItem[]) {
  const client = useQueryClient()
  const me = useMe()
  const navigate = useNavigate()
  const before = useRef<LaterItem[]>(undefined)

  useEffect(() => {
    const waiting = new Set(before.current?.flatMap((item) => (isDue(item) ? [] : [item.id])))
    before.current = items
    const due = items.filter((item) => isDue(item) && waiting.has(item.id))
    if (due.length === 0) return
    import('../../realtime/remind-me.ts').then(
      ({ remindMe }) => remindMe(client, due, me.id, navigate),
      (error) => console.error('Failed to load the reminders:', error),
    )
  }, [items, client, me.id, navigate])

  useEffect(() => {
    const times = items.flatMap(({ dueAt, remindedAt }) => (dueAt && !remindedAt ? [Date.parse(dueAt)] : []))
    if (times.length === 0) return
    const delayMs = Math.max(Math.min(...times) - serverNow(), 0) + GRACE_MS
    const refetch = () => void client.invalidateQueries({ queryKey: myLater.queryKey })
    const timer = setTimeout(refetch, Math.min(delayMs, MAX_TIMEOUT_MS))
    return () => clearTimeout(timer)
  }, [items, client])
}
