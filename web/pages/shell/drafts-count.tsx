import { useUnsent } from '../../features/messages/outbox/draft-list.ts'
import { formatNumber } from '../../i18n/format.ts'

/** The number of my drafts that are not on screen, if any. Lazy-loaded. */
export default function DraftsCount() {
  const count = useUnsent().filter(({ isShown }) => !isShown).length
  return count > 0 && <span className="text-faint text-meta tabular-nums">{formatNumber(count)}</span>
}
