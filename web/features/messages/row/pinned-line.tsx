import { Pin } from 'lucide-react'
import { Link } from 'react-router'
import type { Message } from '#contract/messages'
import { t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import { paths } from '../../../paths.ts'
import { shownName } from '../../../people/shown-name.ts'
import { wholeTime } from '../../../ui/format/clock-time.ts'

interface Props {
  channelId: string
  pin: NonNullable<Message['pin']>
}

/** Below a pinned message: who pinned it. Opens the channel's pins. */
export function PinnedLine({ channelId, pin }: Props) {
  return (
    <Link
      to={paths.pins(channelId)}
      title={wholeTime(pin.at)}
      className="relative mt-1 flex w-fit max-w-full items-center gap-1 rounded-s text-meta text-soft hover:text-ink hover:underline pointer-coarse:after:absolute pointer-coarse:after:inset-x-0 pointer-coarse:after:-inset-y-3"
    >
      <Pin size={12} className="flex-none text-pine" />
      <bdi className="truncate">{usePinnedBy(pin)}</bdi>
    </Link>
  )
}

/** The sentence that names who pinned a message; empty if nobody did. */
export function usePinnedBy(pin: Message['pin']) {
  const me = useMe()
  if (!pin) return ''
  return pin.by.id === me.id ? t('messages.pins.byYou') : t('messages.pins.by', { name: shownName(pin.by.name) })
}
