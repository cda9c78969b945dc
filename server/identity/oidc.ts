import type { BetterAuthPlugin } from 'better-auth'
import { createAuthMiddleware, getOAuthState } from 'better-auth/api'
import { createAuthorizationURL, type OAuthProvider, validateAuthorizationCode } from 'better-auth/oauth2'
import { createRemoteJWKSet, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { problem } from '#contract/errors'
import { PROVIDER } from '#contract/identity'
import type { OidcConfig } from '../config/config.ts'
import type { Db } from '../db/database.ts'
import { withDeadline } from '../http/deadline.ts'
import type { Logger } from '../process/logger.ts'
import { freeUsername } from './free-username.ts'
import { refusal } from './identity-refusal.ts'

const REQUEST_TIMEOUT_MS = 3000
/** The age of the discovery document that is accepted before redirecting to the provider, so that it is known to respond. */
const FRESH_MS = 10_000
/** The age that is accepted afterwards. */
const CACHE_MS = 3_600_000
/** Time between two fetches of the keys, so that forged tokens cannot cause endless requests. */
const KEYS_COOLDOWN_MS = 30_000

const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** A longer token does not fit into a URL. */
const MAX_TOKEN_CHARACTERS = 6000

interface Discovery {
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

/** A sign-in through the provider. */
interface HostedSignIn {
  accountId: string
  /** The id token, which the provider expects at sign-out; empty if it is too long. */
  token: string
}

/** By the OAuth state of the callback's request. */
const signIns = new WeakMap<object, HostedSignIn>()

/** The sign-in of the current request; undefined unless it is the provider's callback. */
export async function currentHostedSignIn(): Promise<HostedSignIn | undefined> {
  const state = await getOAuthState()
  return state ? signIns.get(state) : undefined
}

interface HostedProvider {
  plugin: BetterAuthPlugin
  /**
   * The URL that ends the session at the provider (OpenID Connect RP-Initiated Logout).
   * @param token the id token of the sign-in
   * @param returnTo where the provider redirects afterwards
   * @returns null if the provider has no such URL, or does not respond
   */
  signOutUrl(token: string, returnTo: string): Promise<string | null>
}

/**
 * Better Auth's plugin for the hosted provider: authorization code with PKCE, state and nonce. The library handles PKCE and
 * state. Its own OIDC plugin fetches the discovery document only once, at the start.
 */
export function hostedProvider(config: OidcConfig, db: Db, log: Logger): HostedProvider {
  const discover = discovery(config)
  const providerAway = (error: unknown) => {
    log.warn({ reason: String(error) }, 'the identity provider does not respond')
    return refusal('SERVICE_UNAVAILABLE', 'PROVIDER_AWAY', problem('errors.providerAway', { provider: config.name }))
  }
  const client = { clientId: config.clientId, ...(config.clientSecret && { clientSecret: config.clientSecret }) }

  const provider: OAuthProvider<JWTPayload> = {
    id: PROVIDER,
    name: config.name,
    // Compared with the callback's `iss` (RFC 9207), which may differ from the setting by a slash at the end. If the
    // provider did not respond before the callback, the setting is better than nothing.
    get issuer() {
      return discover.issuer() ?? config.issuer
    },
    requiresIdTokenNonce: true,
    // An id token sent by a page does not belong to a request of ours.
    options: { disableIdTokenSignIn: true },
    accountSubject: ({ profile }) => accountIdOf(profile),

    async createAuthorizationURL({ state, codeVerifier, redirectURI, idTokenNonce }) {
      const { authorizationUrl } = await discover(FRESH_MS).catch((error) => {
        throw providerAway(error)
      })
      return createAuthorizationURL({
        id: PROVIDER,
        options: client,
        authorizationEndpoint: authorizationUrl,
        state,
        codeVerifier,
        redirectURI,
        scopes: ['openid', 'email', 'profile'],
        nonce: idTokenNonce,
      })
    },

    async validateAuthorizationCode({ code, codeVerifier, redirectURI }) {
      const { tokenUrl, usesBasic } = await discover(CACHE_MS)
      const authentication = usesBasic && config.clientSecret ? 'basic' : 'post'
      const request = {
        code,
        codeVerifier,
        redirectURI,
        options: client,
        tokenEndpoint: tokenUrl,
        authentication,
      } as const
      return withDeadline(validateAuthorizationCode(request))
    },

    async getUserInfo({ idToken, accessToken, expectedIdTokenNonce }) {
      const found = await discover(CACHE_MS)
      const claims =
        idToken && expectedIdTokenNonce && (await verifyIdToken(idToken, expectedIdTokenNonce, found, config, log))
      if (!claims) return null
      const profile = { ...(await readUserInfo(claims, accessToken, found)), ...claims }
      const state = await getOAuthState()
      if (state)
        signIns.set(state, {
          accountId: accountIdOf(claims),
          token: idToken && idToken.length <= MAX_TOKEN_CHARACTERS ? idToken : '',
        })
      const { email, email_verified: verified, name, preferred_username: preferred } = profile
      return {
        user: {
          email: typeof email === 'string' ? email : null,
          // Some providers send a string.
          emailVerified: verified === true || verified === 'true',
          name: typeof name === 'string' ? name : '',
          // Only new users get it.
          username: await freeUsername(
            db,
            typeof preferred === 'string' && preferred !== '' ? preferred : String(email),
          ),
        },
        data: profile,
      }
    },
  }
  /** The sign-in may have begun on another node, or before a restart: then nothing is known of the provider yet. */
  const discoverBeforeCallback = {
    matcher: ({ path }: { path?: string }) => path?.startsWith('/callback/') ?? false,
    handler: createAuthMiddleware(async () => {
      await discover(CACHE_MS).catch(providerAway)
    }),
  }
  const plugin: BetterAuthPlugin = {
    id: 'hosted-provider',
    hooks: { before: [discoverBeforeCallback] },
    init: ({ socialProviders }) => ({ context: { socialProviders: [provider as OAuthProvider, ...socialProviders] } }),
  }
  async function signOutUrl(token: string, returnTo: string) {
    try {
      const { endSessionUrl } = await discover(CACHE_MS)
      if (!endSessionUrl) return null
      const url = new URL(endSessionUrl)
      url.searchParams.set('client_id', config.clientId)
      if (token !== '') url.searchParams.set('id_token_hint', token)
      url.searchParams.set('post_logout_redirect_uri', returnTo)
      return url.href
    } catch (error) {
      log.warn({ reason: String(error) }, 'the session at the identity provider could not be ended')
      return null
    }
  }
  return { plugin, signOutUrl }
}

/** Subjects are unique only within their issuer. */
const accountIdOf = ({ iss, sub }: JWTPayload) => `${iss}|${sub}`

/** Fetches the provider's discovery document again if it is older than requested; concurrent calls share a request. */
function discovery({ issuer }: OidcConfig) {
  let known: Discovery | undefined
  let running: Promise<Discovery> | undefined

  async function fetchDocument(): Promise<Discovery> {
    const document = await readJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
    if (String(document['issuer']).replace(/\/$/, '') !== issuer.replace(/\/$/, ''))
      throw new Error(`OIDC_ISSUER is ${issuer}, but the provider's issuer is ${document['issuer']}`)
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
      readAt: Date.now(),
    }
    return known
  }

  async function discover(maxAgeMs: number): Promise<Discovery> {
    if (known && Date.now() - known.readAt < maxAgeMs) return known
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
    timeoutDuration: REQUEST_TIMEOUT_MS,
    cooldownDuration: KEYS_COOLDOWN_MS,
    cacheMaxAge: CACHE_MS,
  })

/** Validates a URL of the provider: https, unless the issuer itself uses http. */
function endpoint(value: unknown, issuer: string): string {
  const url = typeof value === 'string' ? URL.parse(value) : null
  if (!url || (url.protocol !== 'https:' && !issuer.startsWith('http:')))
    throw new Error(`the provider gives ${JSON.stringify(value)} where an address belongs`)
  return url.href
}

async function readJson(url: string, headers: Record<string, string> = {}): Promise<Record<string, unknown>> {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) })
  if (!response.ok) throw new Error(`${url} answers ${response.status}`)
  return (await response.json()) as Record<string, unknown>
}

async function verifyIdToken(
  idToken: string,
  nonce: string,
  { issuer, keys }: Discovery,
  { clientId }: OidcConfig,
  log: Logger,
): Promise<JWTPayload | undefined> {
  try {
    const { payload } = await jwtVerify(idToken, keys, {
      issuer,
      audience: clientId,
      algorithms: ALGORITHMS,
      requiredClaims: ['sub', 'exp', 'iat'],
      clockTolerance: 60,
    })
    if (payload['nonce'] !== nonce) throw new Error('its nonce belongs to another request')
    // A token for several audiences must name us as the authorized party.
    const isOurs = payload['azp'] === undefined ? [payload.aud].flat().length === 1 : payload['azp'] === clientId
    if (!isOurs) throw new Error('it was issued to another client')
    return payload
  } catch (error) {
    log.warn({ reason: String(error) }, 'a token of the identity provider was refused')
    return undefined
  }
}

/** The provider's user info, if the id token lacks claims that we need. */
async function readUserInfo(claims: JWTPayload, accessToken: string | undefined, { userInfoUrl }: Discovery) {
  if ((claims['email'] && claims['preferred_username']) || !accessToken || !userInfoUrl) return {}
  const info = await readJson(userInfoUrl, { authorization: `Bearer ${accessToken}` })
  // Required by the specification: it might describe another user.
  return info['sub'] === claims.sub ? info : {}
}
