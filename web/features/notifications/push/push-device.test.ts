import { expect, test } from 'vitest'
import type { PushDevice } from '#contract/push'
import { repairOf } from './push-device.ts'

const memory = { endpoint: 'https://push/1', hidesText: false }
const subscription = { endpoint: 'https://push/1', hasKey: true }
const device = { isCurrent: true, isValid: true } as PushDevice
const settings = { mode: 'on' as const, devices: [device] }
const fine = { memory, isNoted: true, subscription, settings }

test.each([
  ['nothing is wrong', {}, null],
  ['it was never turned on here', { memory: undefined, subscription: null }, null],
  ['the server has turned it off', { settings: { mode: 'off' as const, devices: [] }, subscription: null }, null],
  ['the service worker lost whose it is', { isNoted: false }, 'renew'],
  ['the browser lost it', { subscription: null }, 'renew'],
  ['the browser has it for another key', { subscription: { ...subscription, hasKey: false } }, 'renew'],
  [
    'the server has another key since',
    { settings: { ...settings, devices: [{ ...device, isValid: false }] } },
    'renew',
  ],
  ['the server dropped it', { settings: { ...settings, devices: [] } }, 'renew'],
  ['only another device is known', { settings: { ...settings, devices: [{ ...device, isCurrent: false }] } }, 'renew'],
  ['the browser replaced it', { subscription: { ...subscription, endpoint: 'https://push/2' } }, 'register'],
  [
    'without texts nothing else changes',
    { settings: { mode: 'without-text' as const, devices: [device] }, subscription: null },
    'renew',
  ],
])('%s', (_, facts, repair) => {
  expect(repairOf({ ...fine, ...facts })).toBe(repair)
})
