import type { TLSSocket } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { createProxyMatcher, parseAddress } from '../http/client-address.ts'
import { requireCommand } from './command-token.ts'
import { unlimited } from './health.ts'

/** Outside of `/api`: for the command `doctor` only. */
export const SEEN_REQUEST_PATH = '/healthz/request'

/** A request as it arrived, so that the settings of a proxy in front can be checked. */
export const SeenRequest = z.object({
  /** The end of the connection that it came over. */
  remote: z.object({ address: z.string(), port: z.number() }),
  /** Whether TRUST_PROXY names that address. */
  isTrusted: z.boolean(),
  trustProxy: z.array(z.string()),
  /** The client's address, as Parley takes it. */
  address: z.string(),
  /** Whether the connection itself is encrypted, and whether the request counts as such. */
  isEncrypted: z.boolean(),
  isSecure: z.boolean(),
  host: z.string(),
  /** The addresses in X-Forwarded-For; empty without the header. */
  forwardedFor: z.array(z.string()),
})
export type SeenRequest = z.output<typeof SeenRequest>

const MAX_FORWARDED = 20

/** Mounts the answer to the command `doctor`. For everybody else it does not exist. */
export default async function seenRequest(app: FastifyInstance) {
  const { trustProxy } = app.config
  const isProxy = createProxyMatcher(trustProxy)
  app.get(SEEN_REQUEST_PATH, unlimited, async (request, reply): Promise<SeenRequest> => {
    requireCommand(request, reply)
    const { headers, caller, raw } = request
    const { remoteAddress = '', remotePort = 0 } = raw.socket
    const remote = { address: parseAddress(remoteAddress) ?? '', port: remotePort }
    const forwarded = String(headers['x-forwarded-for'] ?? '')
    return {
      remote,
      isTrusted: isProxy(remote.address),
      trustProxy,
      address: caller.address,
      isEncrypted: (raw.socket as TLSSocket).encrypted === true,
      isSecure: caller.isSecure,
      host: headers.host ?? '',
      forwardedFor: forwarded === '' ? [] : forwarded.split(',', MAX_FORWARDED).map((it) => it.trim()),
    }
  })
}
