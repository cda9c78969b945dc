import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK } from 'jose'
import { interactionPolicy, Provider } from 'oidc-provider'

export const CLIENT = { clientId: 'parley', clientSecret: 'a secret of the client, for tests' }

/** The claims of an account. */
type Claims = {
  email?: string
  email_verified?: boolean
  name?: string
  preferred_username?: string
  groups?: unknown
}

export type StandIn = Awaited<ReturnType<typeof startProvider>>

/** A certified OpenID Connect provider on loopback. Its page asks for a name, without a password; `people` are its accounts by name. */
export async function startProvider(people: Record<string, Claims> = {}) {
  let inner: Provider
  let key: { kid: string; privateKey: CryptoKey }
  let generation = 0
  let away = false
  let logoutUri: string | undefined
  /** Changes the token endpoint's response. */
  let forge: ((answer: Record<string, unknown>) => Promise<Record<string, unknown>>) | undefined
  /** Overrides the provider's responses, by path. */
  const lies = new Map<string, (response: ServerResponse) => unknown>()
  const requests: string[] = []

  const server = createServer((request, response) => {
    if (away) return response.destroy()
    const { pathname } = new URL(request.url ?? '', issuer)
    requests.push(pathname)
    const lie = lies.get(pathname)
    if (lie) return void lie(response)
    if (pathname.startsWith('/interaction/')) return void meet(request, response)
    if (pathname === '/token' && forge) answerBy(forge, response)
    inner.callback()(request, response)
    return undefined
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  /** Replaces the signing keys. */
  async function rotate() {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true })
    key = { kid: `key-${generation++}`, privateKey }
    const jwk: JWK = { ...(await exportJWK(privateKey)), kid: key.kid, alg: 'RS256', use: 'sig' }
    inner = open(jwk)
  }

  const open = (jwk: JWK): Provider => {
    const policy = interactionPolicy.base()
    policy.remove('consent')
    const provider = new Provider(issuer, {
      jwks: { keys: [jwk] },
      clients: [
        {
          client_id: CLIENT.clientId,
          client_secret: CLIENT.clientSecret,
          // Any port is allowed for a native application on loopback.
          redirect_uris: ['http://127.0.0.1/api/auth/callback/oidc'],
          application_type: 'native',
          ...(logoutUri && { backchannel_logout_uri: logoutUri, backchannel_logout_session_required: true }),
        },
      ],
      pkce: { required: () => true },
      claims: { email: ['email', 'email_verified'], profile: ['name', 'preferred_username', 'groups'], sid: null },
      ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
      cookies: { keys: ['of the provider'] },
      features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
      interactions: { policy, url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub, ...people[sub] }) }),
      // Grants the scopes without a consent page.
      loadExistingGrant: async ({
        oidc,
      }: {
        oidc: { client: { clientId: string }; session: { accountId: string } }
      }) => {
        const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
        grant.addOIDCScope('openid email profile')
        await grant.save()
        return grant
      },
    })
    // Allows any port here as well.
    Object.assign((provider as unknown as { Client: { prototype: object } }).Client.prototype, {
      postLogoutRedirectUriAllowed: (url: string) => /^http:\/\/127\.0\.0\.1:\d+\/sign-in$/.test(url),
    })
    return provider
  }

  /** Serves the provider's own page, which asks for a name. */
  async function meet(request: IncomingMessage, response: ServerResponse) {
    if (request.method !== 'POST') {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      return response.end(
        '<!doctype html><title>Provider</title><form method="post"><label>Who are you? <input name="name"></label><button>Continue</button></form>',
      )
    }
    let body = ''
    for await (const chunk of request) body += chunk
    const accountId = new URLSearchParams(body).get('name') ?? ''
    return inner.interactionFinished(request, response, { login: { accountId, remember: false } })
  }

  await rotate()
  return {
    issuer,
    people,
    requests,
    rotate,
    key: () => key,
    settings: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT.clientId,
      OIDC_CLIENT_SECRET: CLIENT.clientSecret,
      OIDC_NAME: 'Example ID',
    },
    setAway: (is: boolean) => {
      away = is
      if (is) server.closeAllConnections()
    },
    /**
     * The client's address for logout tokens, effective with the next key rotation. Id tokens contain a `sid` only if it is set.
     */
    setLogoutUri: (uri: string) => {
      logoutUri = uri
    },
    setForge: (by: typeof forge) => {
      forge = by
    },
    /** Overrides the response for a path; without `by`, restores the provider's own. */
    setLie: (path: string, by?: (response: ServerResponse) => unknown) => {
      if (by) lies.set(path, by)
      else lies.delete(path)
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function answerBy(
  forge: (answer: Record<string, unknown>) => Promise<Record<string, unknown>>,
  response: ServerResponse,
) {
  const end = response.end.bind(response) as (body: string) => ServerResponse
  response.end = ((body: unknown) => {
    void forge(JSON.parse(String(body))).then((answer) => {
      const text = JSON.stringify(answer)
      response.setHeader('content-length', Buffer.byteLength(text))
      end(text)
    })
    return response
  }) as typeof response.end
}
