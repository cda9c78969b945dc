import type { Profile } from '#contract/users'
import { serverNow } from '../ui/format/clock.ts'
import { useLiveText } from '../ui/format/relative-time.ts'

type Availability = Pick<Profile, 'availability' | 'quietUntil' | 'isIdle'>

/** Whether somebody is away or not to be disturbed; updates when that ends. Idle people are away. */
export function useCurrentAvailability({ availability, quietUntil, isIdle }: Availability) {
  const isOver = useLiveText(() =>
    availability === 'quiet' && Date.parse(quietUntil ?? '') <= serverNow() ? 'over' : '',
  )
  return (!isOver && availability) || (isIdle ? 'away' : undefined)
}
