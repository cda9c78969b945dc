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
  if (high === undefined || low === undefined) return short
  return [high, low].flatMap((it) => [Number.parseInt(it, 16) >> 8, Number.parseInt(it, 16) & 255]).join('.')
}

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

/** What counts as one address: of IPv6 the first half, because a household has the whole second one to itself. */
export function neighbourhood(address: string): string {
  if (!address.includes(':')) return address
  const [parts = [], rest = []] = address.split('::').map((half) => half.split(':').filter((it) => it !== ''))
  const zeros = Array<string>(8 - parts.length - rest.length).fill('0')
  return [...parts, ...zeros, ...rest].slice(0, 4).join(':')
}
