import { formatNumber } from '../../../i18n/format.ts'
import { t } from '../../../i18n/text.ts'

/** The number of members, in a quiet style. */
export function MemberCount({ count }: { count: number }) {
  const label = t('channels.memberCount', { count })
  return (
    <span className="font-[400] text-faint text-meta tabular-nums" title={label}>
      <span aria-hidden="true">{formatNumber(count)}</span>
      <span className="sr-only"> {label}</span>
    </span>
  )
}
