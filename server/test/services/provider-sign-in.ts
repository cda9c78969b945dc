import { openCookieClient } from '../support/cookie-client.ts'

type User = { id: string; username: string; name: string; role: string }

interface SignInOptions {
  at?: { address: string }
  surfer?: ReturnType<typeof openCookieClient>
  callbackURL?: string
  errorCallbackURL?: string
  invite?: string
}

/** Signs in through the provider, at this server by default. */
export function hostedSignIn(parley: { address: string }) {
  /** Starts a sign-in, like the provider's button; returns the provider's URL. */
  async function begin({
    at = parley,
    surfer = openCookieClient(),
    callbackURL = '/dashboard',
    errorCallbackURL = '/sign-in',
    invite,
  }: SignInOptions = {}) {
    const answer = await surfer.post(`${at.address}/api/auth/sign-in/social`, {
      provider: 'oidc',
      callbackURL,
      errorCallbackURL,
      disableRedirect: true,
      ...(invite && { additionalData: { invite } }),
    })
    const body = (await answer.json()) as { url?: string; code?: string; message?: string }
    return { status: answer.status, body, url: body.url ?? '', surfer }
  }

  /** Signs in at the provider as `sub`; returns the final page, its error, and the user of the session, if any. */
  async function signIn(sub: string, options: SignInOptions = {}) {
    const { address } = options.at ?? parley
    const { url, surfer, body } = await begin(options)
    if (!url) throw new Error(JSON.stringify(body))
    const isHome = (it: string) => it.startsWith(address) && !it.includes('/api/auth/callback/')
    const end = new URL(await surfer.follow(url, sub, isHome))
    const me = (await (await surfer.ask(`${address}/api/auth/get-session`)).json()) as { user?: User } | null
    return { path: end.pathname + end.search, error: end.searchParams.get('error'), me: me?.user as User, surfer }
  }

  return { begin, signIn }
}
