import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose'
import type { OidcConfig } from '../config/oidc-settings.ts'
import { fetchBounded, readJson } from './provider-requests.ts'

const KEYS_TIMEOUT_MS = 3000
/** Maximum age of the discovery document before redirecting to the provider, to make sure that it responds. */
export const FRESH_MS = 10_000
/** Maximum age afterwards. */
export const CACHE_MS = 3_600_000
/** Minimum time between two fetches of the keys, so that forged tokens can't cause a flood of requests. */
const KEYS_COOLDOWN_MS = 30_000

/** The provider's discovery document. */
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

/** Caches the provider's discovery document, and fetches it again if it is too old. Concurrent calls share a request. */
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
      // The specification's default.
      usesBasic: !Array.isArray(methods) || methods.includes('client_secret_basic'),
      keysUrl,
      // Keep the same object, which remembers the time of the last fetch.
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

/** A value from the provider, shortened for the log. */
const shortened = (value: unknown) => String(JSON.stringify(value)).slice(0, 200)
