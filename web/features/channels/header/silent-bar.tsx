import { useMutation } from '@tanstack/react-query'
import { Archive, type LucideIcon, MegaphoneOff, Trash2, UserRoundX } from 'lucide-react'
import { useEffect, useState } from 'react'
import { can } from '#contract/can'
import type { Channel } from '#contract/channels'
import { restoreChannel } from '#contract/managed-channels'
import { call } from '../../../api-client/api.ts'
import { explainFailure } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { serverNow } from '../../../ui/format/clock.ts'
import { Button } from '../../../ui/input/button.tsx'
import type { Silence } from '../cache/voice.ts'
import { isAlone, silenceText } from './silence-text.ts'

interface Props {
  channel: Channel
  why: Silence
  /** Called when I may write again. */
  onOver: () => void
}

/** Replaces the composer, at the same height, and says why I can't write here. Lazy-loaded. */
export default function SilentBar({ channel, why, onOver }: Props) {
  const me = useMe()
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(restoreChannel, { params: { channelId: channel.id } }),
    onError: (error) => showToast(explainFailure(t('channels.archive.restoreFailed'), error)),
  })
  const until = me.mutedUntil ?? null
  useEnd(why === 'muted' ? until : null, onOver)
  const Icon = isAlone(channel, why) ? UserRoundX : icons[why]
  return (
    <div className="composer-place">
      <div
        role="status"
        className="flex min-h-20 flex-wrap items-center gap-3 rounded-l border border-line bg-sunk px-4 py-3 text-soft text-ui short:min-h-0"
      >
        <Icon size={16} className="flex-none text-faint" />
        <p className="min-w-0 flex-1 basis-48 text-pretty">{silenceText(channel, why, me)}</p>
        {why === 'archived' && can.archive(me, channel) && (
          <Button variant="line" onClick={() => mutate()} disabled={isPending}>
            {t('channels.archive.restore')}
          </Button>
        )}
      </div>
    </div>
  )
}

const icons: Record<Silence, LucideIcon> = {
  archived: Archive,
  muted: MegaphoneOff,
  notPosting: MegaphoneOff,
  notAllowed: MegaphoneOff,
  deleted: Trash2,
}

/** The longest delay that `setTimeout` accepts. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Calls `onOver` at a given time. */
function useEnd(time: string | null, onOver: () => void) {
  const [over] = useState(() => onOver)
  useEffect(() => {
    if (time === null) return undefined
    const timer = setTimeout(over, Math.min(MAX_TIMER_MS, Math.max(0, Date.parse(time) - serverNow()) + 500))
    return () => clearTimeout(timer)
  }, [time, over])
}
