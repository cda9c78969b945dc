import { APIError, type BetterAuthPlugin } from 'better-auth'
import { getOAuthState } from 'better-auth/api'
import { createAuthorizationURL, type OAuthProvider, validateAuthorizationCode } from 'better-auth/oauth2'
import { createRemoteJWKSet, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { PROVIDER } from '#contract/identity'
import type { OidcConfig } from '../config/config.ts'
import type { Db } from '../db/database.ts'
import { withDeadline } from '../http/deadline.ts'
import type { Logger } from '../process/logger.ts'
import { freeUsername } from './free-username.ts'

/** Milliseconds that the provider has for each answer. */
const REQUEST_TIMEOUT_MS = 3000
/** A person is sent to the provider only where it answered within so many milliseconds. */
const FRESH = 10_000
/** How long what it told is good for the way back. */
const KEPT = 3_600_000
/** After a new key was looked for, the next look waits so long: strange tokens cannot make us ask without end. */
const KEYS_COOLDOWN_MS = 30_000

const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** Characters of a token that still fits into an address. */
const LONGEST_TOKEN = 6000

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

/** How somebody came in by the provider, known in the request that brought them back. */
interface HostedArrival {
  accountId: string
  /** The token that the provider wants to see when they sign out; empty where it is too long. */
  token: string
}

/** By the state that the request came back with. */
const arrivals = new WeakMap<object, HostedArrival>()

/** How the person of the request under way came in by the provider; undefined outside such a request. */
export async function hostedArrival(): Promise<HostedArrival | undefined> {
  const state = await getOAuthState()
  return state ? arrivals.get(state) : undefined
}

export interface HostedProvider {
  plugin: BetterAuthPlugin
  /**
   * Where the browser ends its session at the provider (OpenID Connect RP-Initiated Logout).
   * @param token that the person came in by
   * @param returnTo where the provider sends them afterwards
   * @returns null where the provider has no such address, or does not answer
   */
  signOutUrl(token: string, returnTo: string): Promise<string | null>
}

/**
 * The hosted provider among the identity's: authorization code with PKCE, state and nonce, of which the library makes
 * and checks the first two. Its own plugin for this asks the provider once, at the start, and never again.
 */
export function hostedProvider(config: OidcConfig, db: Db, log: Logger): HostedProvider {
  const discover = discovery(config)
  const away = (error: unknown) => {
    log.warn({ reason: String(error) }, 'the identity provider does not respond')
    return new APIError('SERVICE_UNAVAILABLE', {
      code: 'PROVIDER_AWAY',
      message: `${config.name} does not respond; try again in a moment`,
    })
  }
  const client = { clientId: config.clientId, ...(config.clientSecret && { clientSecret: config.clientSecret }) }

  const provider: OAuthProvider<JWTPayload> = {
    id: PROVIDER,
    name: config.name,
    // Held against the one that the way back names; known by then, unless this server has just started.
    get issuer() {
      return discover.issuer()
    },
    requiresIdTokenNonce: true,
    // A token that a page brings by itself was made for nobody's request.
    options: { disableIdTokenSignIn: true },
    accountSubject: ({ profile }) => accountIdOf(profile),

    async createAuthorizationURL({ state, codeVerifier, redirectURI, idTokenNonce }) {
      const { authorizationUrl } = await discover(FRESH).catch((error) => {
        throw away(error)
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
      const { tokenUrl, usesBasic } = await discover(KEPT)
      const authentication = usesBasic && config.clientSecret ? 'basic' : 'post'
      const asked = {
        code,
        codeVerifier,
        redirectURI,
        options: client,
        tokenEndpoint: tokenUrl,
        authentication,
      } as const
      return withDeadline(validateAuthorizationCode(asked))
    },

    async getUserInfo({ idToken, accessToken, expectedIdTokenNonce }) {
      const found = await discover(KEPT)
      const claims =
        idToken && expectedIdTokenNonce && (await verified(idToken, expectedIdTokenNonce, found, config, log))
      if (!claims) return null
      const profile = { ...(await more(claims, accessToken, found)), ...claims }
      const state = await getOAuthState()
      if (state)
        arrivals.set(state, {
          accountId: accountIdOf(claims),
          token: idToken && idToken.length <= LONGEST_TOKEN ? idToken : '',
        })
      const { email, email_verified: vouched, name, preferred_username: called } = profile
      return {
        user: {
          email: typeof email === 'string' ? email : null,
          // Some providers say it in a word.
          emailVerified: vouched === true || vouched === 'true',
          name: typeof name === 'string' ? name : '',
          // For somebody new.
          username: await freeUsername(db, typeof called === 'string' && called !== '' ? called : String(email)),
        },
        data: profile,
      }
    },
  }
  const plugin: BetterAuthPlugin = {
    id: 'hosted-provider',
    init: ({ socialProviders }) => ({ context: { socialProviders: [provider as OAuthProvider, ...socialProviders] } }),
  }
  async function signOutUrl(token: string, returnTo: string) {
    try {
      const { endSessionUrl } = await discover(KEPT)
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

/** Another issuer may call somebody else by the same subject. */
const accountIdOf = ({ iss, sub }: JWTPayload) => `${iss}|${sub}`

/** What the provider tells of itself, asked again when it is older than wanted; those who wait share one question. */
function discovery({ issuer }: OidcConfig) {
  let known: Discovery | undefined
  let asking: Promise<Discovery> | undefined

  async function ask(): Promise<Discovery> {
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
      // What a provider that says nothing takes, by the specification.
      usesBasic: !Array.isArray(methods) || methods.includes('client_secret_basic'),
      keysUrl,
      // The same ones, and with them how lately they were asked for.
      keys: known?.keysUrl === keysUrl ? known.keys : remoteKeys(keysUrl),
      readAt: Date.now(),
    }
    return known
  }

  async function discover(age: number): Promise<Discovery> {
    if (known && Date.now() - known.readAt < age) return known
    asking ??= ask().finally(() => {
      asking = undefined
    })
    return asking
  }
  return Object.assign(discover, { issuer: () => known?.issuer })
}

/** Its public keys, kept, and read again for a key that is not among them, within bounds. */
const remoteKeys = (url: string) =>
  createRemoteJWKSet(new URL(url), {
    timeoutDuration: REQUEST_TIMEOUT_MS,
    cooldownDuration: KEYS_COOLDOWN_MS,
    cacheMaxAge: KEPT,
  })

/** An address of the provider; not less guarded than the issuer's. */
function endpoint(value: unknown, issuer: string): string {
  const url = typeof value === 'string' ? URL.parse(value) : null
  if (!url || (url.protocol !== 'https:' && !issuer.startsWith('http:')))
    throw new Error(`the provider gives ${JSON.stringify(value)} where an address belongs`)
  return url.href
}

async function readJson(url: string, headers: Record<string, string> = {}): Promise<Record<string, unknown>> {
  const answer = await fetch(url, { headers, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) })
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`)
  return (await answer.json()) as Record<string, unknown>
}

async function verified(
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
    if (payload['nonce'] !== nonce) throw new Error('it answers another request')
    // Made for several clients: it must say that we are the one it was given to.
    const isOurs = payload['azp'] === undefined ? [payload.aud].flat().length === 1 : payload['azp'] === clientId
    if (!isOurs) throw new Error('it was given to another client')
    return payload
  } catch (error) {
    log.warn({ reason: String(error) }, 'a token of the identity provider was refused')
    return undefined
  }
}

/** What the provider tells of a person beyond the token, where the token leaves out what is needed. */
async function more(claims: JWTPayload, accessToken: string | undefined, { userInfoUrl }: Discovery) {
  if ((claims['email'] && claims['preferred_username']) || !accessToken || !userInfoUrl) return {}
  const told = await readJson(userInfoUrl, { authorization: `Bearer ${accessToken}` })
  // Told of somebody else, it is not to be believed.
  return told['sub'] === claims.sub ? told : {}
}
