import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** What `OUTBOUND_ALLOW` names. */
export interface AllowedHosts {
  /** Whether a host is named, in lower case and without a trailing dot. */
  hasName(host: string): boolean
  hasAddress(address: string): boolean
}

type Network = ReturnType<typeof ipaddr.parseCIDR>

/**
 * @param list addresses, networks, host names, and `*.example.com` for all names below one
 * @throws RangeError for anything else
 */
export function parseAllowedHosts(list: readonly string[]): AllowedHosts {
  const networks: Network[] = []
  const names = new Set<string>()
  const endings: string[] = []
  for (const entry of list.map((entry) => entry.trim().toLowerCase().replace(/\.$/, ''))) {
    const network = parseNetwork(entry.replace(/^\[(.*)\]$/, '$1'))
    if (network) networks.push(network)
    else if (!/^(\*\.)?[a-z\d_]([a-z\d_.-]*[a-z\d_])?$/.test(entry) || /^[\d.]+$/.test(entry))
      throw new RangeError(entry)
    else if (entry.startsWith('*.')) endings.push(entry.slice(1))
    else names.add(entry)
  }
  return {
    hasName: (host) => names.has(host) || endings.some((ending) => host.endsWith(ending)),
    hasAddress(address) {
      const parsed = ipaddr.process(address)
      return networks.some(([base, bits]) => base.kind() === parsed.kind() && parsed.match(base, bits))
    },
  }
}

function parseNetwork(text: string): Network | undefined {
  const [address = '', bits] = text.split('/')
  const version = isIP(address)
  if (version === 0 || address.includes('%')) return undefined
  const most = version === 4 ? 32 : 128
  if (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most)) return undefined
  return ipaddr.parseCIDR(`${address}/${bits ?? most}`)
}
