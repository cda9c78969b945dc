import { expect, test } from 'vitest'
import { hasKey } from './browser-subscription.ts'

const bytes = Uint8Array.from([4, 251, 255, 254, 62, 63])
const KEY = 'BPv__j4_'
const subscribedWith = (applicationServerKey: ArrayBuffer | null) =>
  ({ options: { applicationServerKey } }) as PushSubscription

test.each([
  ['the same key', subscribedWith(bytes.buffer), KEY, true],
  ['another key', subscribedWith(bytes.buffer), 'BPv__j4-', false],
  ['a browser that does not say', subscribedWith(null), KEY, true],
  ['an old browser', {} as PushSubscription, KEY, true],
])('%s', (_, subscription, key, isSame) => {
  expect(hasKey(subscription, key)).toBe(isSame)
})
