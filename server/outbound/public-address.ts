import ipaddr from 'ipaddr.js'

/** Global unicast: everything else in IPv6 is reserved, local or for multicast. */
const GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3')
/** Through which networks without IPv4 reach it (RFC 6052): the last 32 bits are an IPv4 address. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/** Reached from machines of a cloud only, in a range of the internet: Azure's platform. */
const OF_CLOUDS = new Set(['168.63.129.16'])
/** The host's part of an IPv6 address that ends in an IPv4 address (ISATAP), without its first byte. */
const ISATAP = [0, 0x5e, 0xfe]

/**
 * Whether an IP address belongs to a host on the internet. Private, local, shared and reserved ranges don't, nor do addresses
 * that tunnel to any other.
 */
export function isPublicAddress(address: string): boolean {
  // An IPv4 address that is written as IPv6 counts as itself.
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === 'unicast' && !OF_CLOUDS.has(parsed.toString())
  if (parsed.match(NAT64)) return isPublicAddress(new ipaddr.IPv4(parsed.toByteArray().slice(12)).toString())
  const isTunnel = ISATAP.every((byte, i) => parsed.toByteArray()[9 + i] === byte)
  return parsed.match(GLOBAL) && parsed.range() === 'unicast' && !isTunnel
}
