import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP, isIPv4 } from 'node:net'

/** 127.0.0.1, also where a socket for both families says it as ::ffff:127.0.0.1. */
const plain = (address: string) => (/^::ffff:\d+\./i.test(address) ? address.slice(7) : address)

const family = (address: string) => (isIPv4(address) ? 'ipv4' : 'ipv6')

/**
 * Where a request that the framework does not see (a socket's) came from, by the same rule: what a client says of its
 * own address is believed of named proxies only. Answers the address of the last one who is none.
 */
export function openAddresses(proxies: string[]) {
  const trusted = new BlockList()
  for (const proxy of proxies.flatMap((it) => (it === 'loopback' ? ['127.0.0.0/8', '::1'] : [it]))) {
    const [address = '', bits] = proxy.split('/')
    if (bits === undefined) trusted.addAddress(address, family(address))
    else trusted.addSubnet(address, Number(bits), family(address))
  }
  const isTrusted = (address: string) => isIP(address) !== 0 && trusted.check(address, family(address))

  return function addressOf(headers: IncomingHttpHeaders, remote: string | undefined): string {
    const said = String(headers['x-forwarded-for'] ?? '').split(',')
    let address = plain(remote ?? '')
    while (isTrusted(address) && said.length > 0) {
      const before = plain(said.pop()?.trim() ?? '')
      if (before === '') break
      address = before
    }
    return address
  }
}

/** What counts as one address: of IPv6 the first half, because a household has the whole second one to itself. */
export function neighbourhood(address: string): string {
  if (!address.includes(':')) return address
  const bare = plain(address)
  if (isIP(bare) !== 6) return bare
  const [head = '', tail] = bare.split('::')
  const parts = head === '' ? [] : head.split(':')
  const rest = tail ? tail.split(':') : []
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - parts.length - rest.length)).fill('0')
  return [...parts, ...zeros, ...rest].slice(0, 4).join(':')
}

/** Whether a connection comes from this very machine, and not through a proxy here that hands on somebody else's. */
export function isHere(headers: IncomingHttpHeaders, remote: string | undefined): boolean {
  const address = plain(remote ?? '')
  if (address !== '::1' && !address.startsWith('127.')) return false
  if (['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'].some((name) => name in headers)) return false
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i.test(headers.host ?? '')
}
