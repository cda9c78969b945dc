import { BlockList, isIPv4, isIPv6 } from 'node:net'

/**
 * Normalizes an address: IPv4 in dotted form, even if a dual-stack socket or a proxy wrote it as IPv6; IPv6 in its short
 * form; without the port and zone that some proxies add. Returns undefined for anything else.
 */
export function parseAddress(text: string): string | undefined {
  const [, inBrackets, beforePort] = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text) ?? []
  const [address = ''] = (inBrackets ?? beforePort ?? text).split('%')
  if (isIPv4(address)) return address
  if (!isIPv6(address)) return undefined
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(short) ?? []
  return high === undefined || low === undefined ? short : dotted(high, low)
}

/** The IPv4 address in the last two groups of an IPv6 address. */
const dotted = (high: string, low: string) =>
  [high, low].flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]).join('.')

const family = (address: string) => (isIPv4(address) ? 'ipv4' : 'ipv6')

/** Returns a predicate for the addresses of trusted proxies. @param proxies addresses, networks or `loopback` */
export function createProxyMatcher(proxies: string[]) {
  if (proxies.length === 0) return () => false
  const trusted = new BlockList()
  for (const proxy of proxies.flatMap((proxy) => (proxy === 'loopback' ? ['127.0.0.0/8', '::1'] : [proxy]))) {
    const [address = '', bits] = proxy.split('/')
    if (bits === undefined) trusted.addAddress(address, family(address))
    else trusted.addSubnet(address, Number(bits), family(address))
  }
  return (address: string) => address !== '' && trusted.check(address, family(address))
}

/** Networks outside the internet: loopback, private (RFC 1918, 4193), link-local and carrier-grade NAT (RFC 6598). */
const PRIVATE_NETWORKS = [
  'loopback',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '100.64.0.0/10',
  'fc00::/7',
  'fe80::/10',
]
export const isPrivateAddress = createProxyMatcher(PRIVATE_NETWORKS)

/** The prefix of IPv4 addresses translated by NAT64 (RFC 6052). */
const NAT64_PREFIX = '64:ff9b:0:0:0:0'

/**
 * The key under which an address is limited, itself an address. For IPv6 it is the /64 network, because a household usually has
 * a whole one; behind NAT64, where everyone shares a /64, it is the IPv4 address.
 */
export function rateLimitKey(address: string): string {
  if (!address.includes(':')) return address
  const [parts = [], rest = []] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''))
  const zeros = Array<string>(8 - parts.length - rest.length).fill('0')
  const groups = [...parts, ...zeros, ...rest]
  const [high, low] = groups.slice(6) as [string, string]
  return groups.slice(0, 6).join(':') === NAT64_PREFIX ? dotted(high, low) : `${groups.slice(0, 4).join(':')}::`
}
