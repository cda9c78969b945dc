import { useQuery } from '@tanstack/react-query'
import { Clock, TriangleAlert } from 'lucide-react'
import { Link } from 'react-router'
import { t } from '../../../i18n/text.ts'
import { paths } from '../../../paths.ts'
import { useIsLive } from '../../../socket/first-connection.ts'
import { dueTime } from '../../../ui/format/due-time.ts'
import { useLiveText } from '../../../ui/format/relative-time.ts'
import { conversationKey, type Target } from '../outbox/pending-message.ts'
import { myScheduled } from '../sync/scheduled-queries.ts'

/** A link to my scheduled messages, if there are some for this conversation. Lazy-loaded. */
export default function ScheduledLine({ to }: { to: Target }) {
  const { data = [] } = useQuery({ ...myScheduled, enabled: useIsLive() })
  const here = data.filter((item) => conversationKey(item) === conversationKey(to))
  const failed = here.filter(({ failure }) => failure).length
  const [next, second] = here
  const text = useLiveText(() => {
    if (failed > 0) return t('scheduled.failedHere', { count: failed })
    if (second) return t('scheduled.countHere', { count: here.length })
    return next ? t('scheduled.sendsAt', { time: dueTime(next.sendAt) }) : ''
  })
  if (text === '') return null
  const Icon = failed > 0 ? TriangleAlert : Clock
  return (
    <Link
      to={paths.scheduled}
      className={`ms-auto flex min-w-0 flex-none animate-appear items-center gap-1.5 rounded-s pb-0.5 hover:underline ${failed > 0 ? 'text-danger' : 'text-soft'}`}
    >
      <Icon size={13} className="flex-none" />
      <span className="truncate">{text}</span>
    </Link>
  )
}
