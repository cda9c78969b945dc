import { expect, test } from 'vitest'
import { HOLD_MS, waitOf } from './hold.ts'

const NOW = 1_800_000_000_000

test.each([
  ['a message without a hold is sent at once, by any tab', undefined, true, 0],
  ['a message without a hold is sent at once, by any tab', undefined, false, 0],
  ['a new message waits for five seconds', NOW + HOLD_MS, true, 5000],
  ['a tab sends its own message when its time is over', NOW, true, 0],
  ['another tab waits four seconds longer', NOW + 1000, false, 5000],
  ['another tab does not send it at the moment at which it can still be taken back', NOW, false, 4000],
  ['another tab sends it if its own tab has not', NOW - 4000, false, 0],
  ['a released message is sent at once, by any tab', 0, true, 0],
  ['a released message is sent at once, by any tab', 0, false, 0],
  ['a clock that was set back does not hold a message for longer', NOW + 3_600_000, true, 0],
  ['a clock that was set back does not hold a message for longer', NOW + 3_600_000, false, 0],
])('%s (%s, own: %s)', (_, heldUntil, isOwn, waitMs) => {
  expect(waitOf(heldUntil === undefined ? {} : { heldUntil }, NOW, isOwn)).toBe(waitMs)
})
