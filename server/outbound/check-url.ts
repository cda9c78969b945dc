import { isIP } from 'node:net'
import type { AllowedHosts } from './allowed-hosts.ts'
import { OutboundError } from './outbound-error.ts'
import { isPublicAddress } from './public-address.ts'

/** @throws OutboundError unless it is a URL of HTTP or HTTPS without credentials */
export function parseUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  if (!url || !/^https?:$/.test(url.protocol)) throw new OutboundError('not an HTTP URL')
  if (url.username !== '' || url.password !== '') throw new OutboundError('contains credentials')
  // The same host; a certificate has it without the dot.
  url.hostname = url.hostname.replace(/\.$/, '')
  url.hash = ''
  return url
}

/** A name, or an address without brackets. `URL` has turned numbers in any notation into plain addresses. */
export const hostOf = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, '$1')

/** Those below 1024 belong to other protocols. */
const isUsualPort = ({ port }: URL) => port === '' || port === '80' || port === '443' || Number(port) >= 1024

/**
 * What can be told of a URL without resolving its name.
 * @throws OutboundError if its port or its address is refused
 */
export function checkUrl(url: URL, allowed: AllowedHosts) {
  if (isNamed(url, allowed)) return
  if (!isUsualPort(url)) throw new OutboundError('unusual port')
  const host = hostOf(url)
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw new OutboundError('not a public address')
}

/** Whether `OUTBOUND_ALLOW` names the host of a URL. */
export function isNamed(url: URL, allowed: AllowedHosts): boolean {
  const host = hostOf(url)
  return allowed.hasName(host) || (isIP(host) !== 0 && allowed.hasAddress(host))
}
