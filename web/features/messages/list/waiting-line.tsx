import { Clock } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent } from 'react'
import { t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import type { AnchoredListHandle } from '../../../ui/list/anchored-list.tsx'
import type { PendingMessage } from '../outbox/pending-message.ts'
import { listItems } from './list-items.ts'

interface Props {
  pending: readonly PendingMessage[]
  hasNewer: boolean
  /** Whether the list shows them, after a gap. */
  isShown: boolean
  setShown: (isShown: boolean) => void
  list: RefObject<AnchoredListHandle | null>
  toLatest: () => void
}

/**
 * Says that messages are waiting to be sent while the end of the list, where they belong, isn't loaded. Offers to show them
 * anyway. Lazy-loaded.
 */
export default function WaitingLine({ pending, hasNewer, isShown, setShown, list, toLatest }: Props) {
  const me = useMe().id
  const count = pending.length
  const isOver = isShown && !(hasNewer && count > 0)
  const end = useEffectEvent(() => {
    // Once sent, they are at the end, which isn't loaded.
    if (hasNewer) toLatest()
    setShown(false)
  })
  useEffect(() => {
    if (isOver) end()
  }, [isOver])

  function show() {
    setShown(true)
    const last = listItems([], pending, me).at(-1)
    if (last) list.current?.show({ key: last.key, at: 'end' })
    if (navigator.onLine) toLatest()
    // The button disappears, so move the focus first.
    list.current?.focus()
  }

  if (isShown) return null
  return (
    <div
      data-above-composer=""
      className="-translate-x-1/2 absolute start-[calc(var(--side)+min(50%,var(--column)/2))] bottom-2 z-2 flex h-8 animate-appear items-center gap-1.5 whitespace-nowrap rounded-full border border-line bg-raised ps-3 pe-1 text-soft text-ui shadow-float [animation-delay:300ms] [animation-fill-mode:backwards] rtl:translate-x-1/2 print:hidden pointer-coarse:h-11"
    >
      <Clock size={14} />
      <p role="status" className="tabular-nums">
        {t('messages.list.waiting', { count })}
      </p>
      <button
        type="button"
        onClick={show}
        className="h-full rounded-full px-2 font-[600] text-pine hover:underline focus-visible:-outline-offset-2"
      >
        {t('messages.list.showWaiting')}
      </button>
    </div>
  )
}
