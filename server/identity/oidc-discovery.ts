import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose'
import type { OidcConfig } from '../config/oidc-settings.ts'
import { fetchBounded, readJson } from './provider-requests.ts'

const KEYS_TIMEOUT_MS = 3000
/** The age of the discovery document that is accepted before redirecting to the provider, so that it is known to respond. */
export const FRESH_MS = 10_000
/** The age that is accepted afterwards. */
export const CACHE_MS = 3_600_000
/** Time between two fetches of the keys, so that forged tokens cannot cause endless requests. */
const KEYS_COOLDOWN_MS = 30_000

/** What the provider says of itself. */
export interface Discovery {
  issuer: string
  authorizationUrl: string
  tokenUrl: string
  userInfoUrl: string | undefined
  endSessionUrl: string | undefined
  usesBasic: boolean
  keysUrl: string
  keys: JWTVerifyGetKey
  readAt: number
}

/** Fetches the provider's discovery document again if it is older than requested; concurrent calls share a request. */
export function discovery({ issuer }: OidcConfig) {
  let known: Discovery | undefined
  let running: Promise<Discovery> | undefined

  async function fetchDocument(): Promise<Discovery> {
    const document = await readJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
    if (String(document['issuer']).replace(/\/$/, '') !== issuer.replace(/\/$/, ''))
      throw new Error(`OIDC_ISSUER is ${issuer}, but the provider's issuer is ${shortened(document['issuer'])}`)
    const keysUrl = endpoint(document['jwks_uri'], issuer)
    const methods = document['token_endpoint_auth_methods_supported']
    known = {
      issuer: String(document['issuer']),
      authorizationUrl: endpoint(document['authorization_endpoint'], issuer),
      tokenUrl: endpoint(document['token_endpoint'], issuer),
      userInfoUrl: document['userinfo_endpoint'] ? endpoint(document['userinfo_endpoint'], issuer) : undefined,
      endSessionUrl: document['end_session_endpoint'] ? endpoint(document['end_session_endpoint'], issuer) : undefined,
      // The default of the specification.
      usesBasic: !Array.isArray(methods) || methods.includes('client_secret_basic'),
      keysUrl,
      // The same object, which knows when it was last fetched.
      keys: known?.keysUrl === keysUrl ? known.keys : remoteKeys(keysUrl),
      readAt: performance.now(),
    }
    return known
  }

  async function discover(maxAgeMs: number): Promise<Discovery> {
    if (known && performance.now() - known.readAt < maxAgeMs) return known
    running ??= fetchDocument().finally(() => {
      running = undefined
    })
    return running
  }
  return Object.assign(discover, { issuer: () => known?.issuer })
}

/** The provider's public keys, cached, and fetched again for an unknown key. */
const remoteKeys = (url: string) =>
  createRemoteJWKSet(new URL(url), {
    timeoutDuration: KEYS_TIMEOUT_MS,
    cooldownDuration: KEYS_COOLDOWN_MS,
    cacheMaxAge: CACHE_MS,
    [customFetch]: fetchBounded,
  })

/** Validates a URL of the provider: https, or http if the issuer itself uses http. */
function endpoint(value: unknown, issuer: string): string {
  const url = typeof value === 'string' ? URL.parse(value) : null
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && issuer.startsWith('http:'))
  if (!url || !isAllowed) throw new Error(`the provider gives ${shortened(value)} where an address belongs`)
  return url.href
}

/** A value of the provider's, for the log. */
const shortened = (value: unknown) => String(JSON.stringify(value)).slice(0, 200)
