import { expect, test } from 'vitest'
import { parseAddress, rateLimitKey } from './client-address.ts'

const near = (text: string) => rateLimitKey(parseAddress(text) ?? '')

test('clients behind NAT64 are limited by their IPv4 address, in every notation', () => {
  expect(near('64:ff9b::192.0.2.33')).toBe('192.0.2.33')
  expect(near('64:ff9b::c000:221')).toBe('192.0.2.33')
  expect(near('64:ff9b:0:0::c000:222')).toBe('192.0.2.34')
  expect(near('64:ff9b::c000:0')).toBe('192.0.0.0')
  expect(near('64:ff9b::1')).toBe('0.0.0.1')
})

test('IPv4 clients are limited by address, IPv6 clients by /64 prefix', () => {
  expect(near('::ffff:192.0.2.33')).toBe('192.0.2.33')
  expect(near('2001:db8:7:1::2')).toBe('2001:db8:7:1::')
  expect(near('2001:db8::2')).toBe('2001:db8:0:0::')
  // Outside the well-known prefix, so there is no embedded IPv4 address.
  expect(near('64:ff9b:1::c000:221')).toBe('64:ff9b:1:0::')
  expect(near('64:ff9b::1:c000:221')).toBe('64:ff9b:0:0::')
  expect(near('::1')).toBe('0:0:0:0::')
})
