import { BlockList, isIPv4, isIPv6 } from 'node:net'

/**
 * An address as everything here compares it: IPv4 with dots, also where a socket for both families or a proxy writes it
 * as IPv6; IPv6 in its short form. Without the port and the zone that some proxies add; undefined for what is no address.
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

/** An IPv4 address of the two groups that hold it in an IPv6 address. */
const dotted = (high: string, low: string) =>
  [high, low].flatMap((it) => [Number.parseInt(it, 16) >> 8, Number.parseInt(it, 16) & 255]).join('.')

const family = (address: string) => (isIPv4(address) ? 'ipv4' : 'ipv6')

/** Answers whether an address is that of a named proxy. @param proxies addresses, networks or `loopback` */
export function openProxies(proxies: string[]) {
  const trusted = new BlockList()
  for (const proxy of proxies.flatMap((it) => (it === 'loopback' ? ['127.0.0.0/8', '::1'] : [it]))) {
    const [address = '', bits] = proxy.split('/')
    if (bits === undefined) trusted.addAddress(address, family(address))
    else trusted.addSubnet(address, Number(bits), family(address))
  }
  return (address: string) => address !== '' && trusted.check(address, family(address))
}

/** Before the IPv4 address of whoever comes through a translator (NAT64, RFC 6052). */
const NAT64 = '64:ff9b:0:0:0:0'

/**
 * What counts as one address: of IPv6 the first half, because a household has the whole second one to itself. All that
 * come through translators share their first half, and each is the IPv4 address in the second. Written as an address.
 */
export function rateLimitKey(address: string): string {
  if (!address.includes(':')) return address
  const [parts = [], rest = []] = address.split('::').map((half) => half.split(':').filter((it) => it !== ''))
  const zeros = Array<string>(8 - parts.length - rest.length).fill('0')
  const groups = [...parts, ...zeros, ...rest]
  const [high, low] = groups.slice(6) as [string, string]
  return groups.slice(0, 6).join(':') === NAT64 ? dotted(high, low) : `${groups.slice(0, 4).join(':')}::`
}
