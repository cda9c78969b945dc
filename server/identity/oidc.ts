import type { BetterAuthPlugin } from 'better-auth'
import { createAuthMiddleware, getOAuthState } from 'better-auth/api'
import { authorizationCodeRequest, createAuthorizationURL, type OAuthProvider } from 'better-auth/oauth2'
import type { JWTPayload } from 'jose'
import { sql } from 'kysely'
import { problem } from '#contract/errors'
import { PROVIDER } from '#contract/identity'
import type { OidcConfig } from '../config/oidc-settings.ts'
import type { Db } from '../db/database.ts'
import { reasonOf } from '../errors.ts'
import { DEADLINE_MS } from '../http/deadline.ts'
import type { Logger } from '../process/logger.ts'
import { freeUsername } from './free-username.ts'
import { refusal } from './identity-refusal.ts'
import { CACHE_MS, type Discovery, discovery, FRESH_MS } from './oidc-discovery.ts'
import { addressOf } from './oidc-profile.ts'
import { accountIdOf, isShortText, type ProviderLogout, verifyIdToken, verifyLogoutToken } from './oidc-tokens.ts'
import { isProvided } from './provided-accounts.ts'
import { groupsIn } from './provider-groups.ts'
import { readJson } from './provider-requests.ts'

/** A longer token does not fit into a URL. */
const MAX_TOKEN_CHARACTERS = 6000

/** A sign-in through the provider. */
export interface HostedSignIn {
  accountId: string
  /** The id token, which the provider expects at sign-out; empty if it is too long. */
  token: string
  /** The id of the provider's own session, if given: a later sign-out there refers to it. */
  sid: string | null
  /** When we requested the tokens, by the database's clock. */
  begunAt: string
  /** When the provider issued the id token, in seconds since 1970. */
  issuedAt: number
  /** The person's groups at the provider; undefined if it didn't send them. */
  groups: string[] | undefined
}

/** `begunAt` by the OAuth state of the callback's request. */
const begun = new WeakMap<object, string>()
const signIns = new WeakMap<object, HostedSignIn>()

/** The sign-in of the current request; undefined unless it is the provider's callback. */
export async function currentHostedSignIn(): Promise<HostedSignIn | undefined> {
  const state = await getOAuthState()
  return state ? signIns.get(state) : undefined
}

export interface HostedProvider {
  plugin: BetterAuthPlugin
  /**
   * The URL that ends the session at the provider (OpenID Connect RP-Initiated Logout).
   * @param token the id token of the sign-in
   * @param returnTo where the provider redirects afterwards
   * @returns null if the provider has no such URL or doesn't respond
   */
  signOutUrl(token: string, returnTo: string): Promise<string | null>
  /** @throws unless it is a valid logout token of the provider */
  readLogout(token: string): Promise<ProviderLogout>
}

/**
 * A Better Auth plugin for the hosted provider: authorization code with PKCE, state and nonce. The library handles PKCE and
 * state. Its own OIDC plugin would fetch the discovery document only once, at startup.
 */
export function hostedProvider(config: OidcConfig, db: Db, log: Logger): HostedProvider {
  const discover = discovery(config)
  const providerAway = (error: unknown) => {
    log.warn({ reason: reasonOf(error) }, 'the identity provider does not respond')
    return refusal('SERVICE_UNAVAILABLE', 'PROVIDER_AWAY', problem('errors.providerAway', { provider: config.name }))
  }
  const client = { clientId: config.clientId, ...(config.clientSecret && { clientSecret: config.clientSecret }) }

  const provider: OAuthProvider<JWTPayload> = {
    id: PROVIDER,
    name: config.name,
    // Compared with the callback's `iss` (RFC 9207), which may differ from the setting by a trailing slash. If the provider
    // didn't respond before the callback, the setting is better than nothing.
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
        scopes: ['openid', 'email', 'profile', ...config.scopes],
        nonce: idTokenNonce,
      })
    },

    async validateAuthorizationCode({ code, codeVerifier, redirectURI }) {
      const found = await discover(CACHE_MS)
      const state = await getOAuthState()
      if (state) begun.set(state, await databaseTime(db))
      return requestTokens({ code, codeVerifier, redirectURI, options: client }, found).catch((error) => {
        log.warn({ reason: reasonOf(error) }, 'the identity provider returned no tokens for a code')
        return null
      })
    },

    async getUserInfo({ idToken, accessToken, expectedIdTokenNonce }) {
      const found = await discover(CACHE_MS)
      const claims = await verifyIdToken(idToken, expectedIdTokenNonce, found, config, log)
      if (!claims) return null
      const info = await readUserInfo(claims, accessToken, found, config).catch((error) => {
        log.warn({ reason: reasonOf(error) }, 'the identity provider returned no user info')
      })
      if (!info) return null
      const profile = { ...info, ...claims }
      const state = await getOAuthState()
      if (state)
        signIns.set(state, {
          accountId: accountIdOf(claims),
          token: idToken && idToken.length <= MAX_TOKEN_CHARACTERS ? idToken : '',
          sid: isShortText(claims['sid']) ? claims['sid'] : null,
          begunAt: begun.get(state) ?? (await databaseTime(db)),
          issuedAt: claims.iat as number,
          groups: groupsIn(profile, config.groupsClaim),
        })
      const { name, preferred_username: preferred } = profile
      const { email, isVerified } = addressOf(claims, info)
      return {
        user: {
          email,
          // Some providers never send it; then a match with the directory counts.
          emailVerified: isVerified || (await isProvided(db, { ...profile, email })),
          name: typeof name === 'string' ? name : '',
          // Only used for new users.
          username: await freeUsername(db, isShortText(preferred) ? preferred : String(email)),
        },
        data: profile,
      }
    },
  }
  /** The sign-in may have started on another node or before a restart, so the provider may not have been discovered here. */
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
      log.warn({ reason: reasonOf(error) }, 'could not end the session at the identity provider')
      return null
    }
  }
  const readLogout = async (token: string) => verifyLogoutToken(token, await discover(CACHE_MS), config)
  return { plugin, signOutUrl, readLogout }
}

async function databaseTime(db: Db): Promise<string> {
  const { rows } = await sql<{ now: string }>`select clock_timestamp()::timestamptz(3) as now`.execute(db)
  return rows[0]?.now as string
}

type CodeRequest = Parameters<typeof authorizationCodeRequest>[0]

/** Exchanges a code for tokens. Other values of the response are ignored. */
async function requestTokens(request: CodeRequest, { tokenUrl, usesBasic }: Discovery) {
  const hasSecret = typeof request.options === 'object' && request.options.clientSecret !== undefined
  const authentication = usesBasic && hasSecret ? 'basic' : 'post'
  const { body, headers } = await authorizationCodeRequest({ ...request, tokenEndpoint: tokenUrl, authentication })
  const signal = AbortSignal.timeout(DEADLINE_MS)
  const { id_token: idToken, access_token: accessToken } = await readJson(tokenUrl, {
    method: 'POST',
    headers,
    body,
    signal,
  })
  if (!isText(idToken) || !isText(accessToken)) throw new Error(`${tokenUrl} sends no tokens`)
  return { idToken, accessToken }
}

const isText = (value: unknown): value is string | undefined => value === undefined || typeof value === 'string'

/** The provider's user info, if the id token lacks claims that we need. */
async function readUserInfo(
  claims: JWTPayload,
  accessToken: string | undefined,
  { userInfoUrl }: Discovery,
  { groupsClaim, roles, groups }: OidcConfig,
) {
  const needsGroups = roles.length + groups.length > 0 && groupsIn(claims, groupsClaim)?.length === 0
  const isEnough = claims['email'] && claims['preferred_username'] && !needsGroups
  if (isEnough || !accessToken || !userInfoUrl) return {}
  const info = await readJson(userInfoUrl, { headers: { authorization: `Bearer ${accessToken}` } })
  // Required by the specification: it might describe another user.
  return info['sub'] === claims.sub ? info : {}
}
