import type { Profile } from '#contract/users'
import { serverNow } from '../ui/format/clock.ts'
import { useLiveText } from '../ui/format/relative-time.ts'

/** Whether somebody is away or not to be disturbed; updates when that ends. */
export function useCurrentAvailability({ availability, quietUntil }: Pick<Profile, 'availability' | 'quietUntil'>) {
  const isOver = useLiveText(() =>
    availability === 'quiet' && Date.parse(quietUntil ?? '') <= serverNow() ? 'over' : '',
  )
  return isOver ? undefined : (availability ?? undefined)
}
