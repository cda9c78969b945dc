import { useQuery } from '@tanstack/react-query'
import type { Channel } from '#contract/channels'
import { mentionedIn } from '#contract/mentions'
import { t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import { personCard } from '../../../people/card-queries.ts'
import ScheduleDialog from '../actions/schedule-dialog.tsx'
import { scheduleComposed } from '../actions/scheduled-actions.ts'
import type { Target } from '../outbox/pending-message.ts'

interface Props {
  channel: Channel
  to: Target
  content: string
  alsoToChannel: boolean
  /** Called once the composer is empty. */
  onScheduled: () => void
  onClose: () => void
}

/** Asks when the message in a composer is to be sent, and schedules it. Lazy-loaded. */
export default function ScheduleMessage({ channel, to, content, alsoToChannel, onScheduled, onClose }: Props) {
  async function schedule(sendAt: string) {
    await scheduleComposed({ ...to, content, alsoToChannel, sendAt })
    onScheduled()
  }
  return (
    <ScheduleDialog
      title={to.threadId ? t('scheduled.sendReplyLater') : t('scheduled.sendLater')}
      theirZone={useTheirZone(channel)}
      note={content.includes('@') && mentionedIn(content).broadcast ? t('scheduled.notifiesAll') : undefined}
      onSchedule={schedule}
      onClose={onClose}
    />
  )
}

/** The time zone of the only other person in a direct conversation. */
function useTheirZone({ kind, members }: Channel) {
  const me = useMe()
  const others = kind === 'direct' ? members.filter(({ id }) => id !== me.id) : []
  const [other] = others
  const { data } = useQuery({ ...personCard(other?.id ?? ''), enabled: others.length === 1 })
  return data?.timeZone ?? undefined
}
