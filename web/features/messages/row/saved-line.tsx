import { AlarmClock, Bookmark } from 'lucide-react'
import { Link } from 'react-router'
import type { LaterItem } from '#contract/later'
import { t } from '../../../i18n/text.ts'
import { paths } from '../../../paths.ts'
import { dueTime } from '../../../ui/format/due-time.ts'
import { useLiveText } from '../../../ui/format/relative-time.ts'
import { isDue } from '../sync/later-queries.ts'

/** Below a message that I saved, with the time of its reminder. Opens the page of what I saved. */
export function SavedLine({ item, label }: { item: LaterItem; label: string }) {
  const Icon = item.dueAt === null ? Bookmark : AlarmClock
  return (
    <Link
      to={paths.later}
      className="relative mt-1 flex w-fit max-w-full items-center gap-1 rounded-s text-meta text-soft hover:text-ink hover:underline pointer-coarse:after:absolute pointer-coarse:after:inset-x-0 pointer-coarse:after:-inset-y-3"
    >
      <Icon size={12} className={`flex-none ${isDue(item) ? 'text-ember' : 'text-pine'}`} />
      <span className="truncate">{label}</span>
    </Link>
  )
}

/** Whether I saved a message, and when I am reminded of it; empty without an item. */
export const useLaterLabel = (item: LaterItem | undefined) => useLiveText(() => (item ? laterLabel(item) : ''))

export function laterLabel({ dueAt, remindedAt }: LaterItem) {
  if (dueAt === null) return t('later.isSaved')
  const time = dueTime(dueAt)
  return remindedAt === null ? t('later.at', { time }) : t('later.wasDue', { time })
}
