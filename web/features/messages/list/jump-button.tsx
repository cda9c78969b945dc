import { ArrowDown, ArrowUp } from 'lucide-react'
import { rich, t } from '../../../i18n/text.ts'
import { keysLabel } from '../../../ui/device/key-label.ts'

interface Props {
  to: 'latest' | 'unread'
  /** The number of new messages below. */
  count?: number | undefined
  onClick: () => void
}

/** Floats over the list; jumps down to the newest message, or up to the first unread one. */
export default function JumpButton({ to, count = 0, onClick }: Props) {
  const isDown = to === 'latest'
  const Arrow = isDown ? ArrowDown : ArrowUp
  return (
    <button
      type="button"
      data-above-composer={isDown ? '' : undefined}
      data-tip=""
      data-keys={keysLabel(isDown ? 'End' : 'Shift+PageUp')}
      onClick={onClick}
      className={`-translate-x-1/2 absolute start-[calc(var(--side)+min(50%,var(--column)/2))] z-1 flex h-8 animate-appear items-center gap-1.5 whitespace-nowrap rounded-full border border-line bg-raised px-3 rtl:translate-x-1/2 font-[550] text-ui shadow-float print:hidden hover:bg-sunk pointer-coarse:h-11 ${isDown ? 'bottom-2 tabular-nums' : 'top-2'}`}
    >
      <Arrow size={14} />
      {isDown ? latest(count) : t('messages.list.jumpToUnread')}
    </button>
  )
}

const latest = (count: number) =>
  count > 0
    ? rich('messages.list.jumpToLatestNew', { count, new: (words) => <span className="text-ember">{words}</span> })
    : t('messages.list.jumpToLatest')
