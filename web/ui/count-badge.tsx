import { formatNumber } from '../i18n/format.ts'
import { t } from '../i18n/text.ts'
import { Rolling } from './rolling.tsx'

const MAX_SHOWN = 99

interface Props {
  count: number
  /** The count in words, such as '3 mentions', for the tooltip and screen readers. */
  label: string
  /** The key of what has arrived if the count changes live; without it, the count doesn't roll. */
  of?: string
}

/** A small number that asks for attention. */
export function CountBadge({ count, label, of }: Props) {
  return (
    <span
      title={label}
      className="h-[18px] min-w-[18px] flex-none rounded-full bg-ember px-1.25 text-center font-[600] text-micro text-on-ember tabular-nums leading-[18px]"
    >
      <span aria-hidden="true">{of ? <Rolling of={of}>{cappedCount(count)}</Rolling> : cappedCount(count)}</span>
      <span className="sr-only"> {label}</span>
    </span>
  )
}

/** '12', or '99+'. */
export const cappedCount = (count: number) =>
  count > MAX_SHOWN ? t('ui.countOrMore', { count: MAX_SHOWN }) : formatNumber(count)
