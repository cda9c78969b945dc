import { ArrowDown, ArrowUp } from 'lucide-react'
import { rich, t } from '../../../i18n/text.ts'

const variant =
  '-translate-x-1/2 absolute start-[calc(var(--side)+min(50%,var(--column)/2))] z-1 flex h-8 animate-appear items-center gap-1.5 whitespace-nowrap rounded-full border border-line bg-raised px-3 rtl:translate-x-1/2 font-[550] text-ui shadow-float print:hidden hover:bg-sunk pointer-coarse:h-11'

interface Props {
  /** The number of new messages below. */
  count?: number | undefined
  onClick: () => void
}

export function JumpToLatest({ count = 0, onClick }: Props) {
  return (
    <button
      type="button"
      data-above-composer=""
      data-tip=""
      data-keys="End"
      onClick={onClick}
      className={`${variant} bottom-2 tabular-nums`}
    >
      <ArrowDown size={14} />
      {count > 0
        ? rich('messages.list.jumpToLatestNew', {
            count,
            new: (words) => <span className="text-ember">{words}</span>,
          })
        : t('messages.list.jumpToLatest')}
    </button>
  )
}

export function JumpToUnread({ onClick }: { onClick: () => void }) {
  return (
    <button type="button" data-tip="" data-keys="Shift+PageUp" onClick={onClick} className={`${variant} top-2`}>
      <ArrowUp size={14} />
      {t('messages.list.jumpToUnread')}
    </button>
  )
}
