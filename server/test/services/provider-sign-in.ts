import { openCookieClient } from '../support/cookie-client.ts'

type User = { id: string; username: string; name: string; role: string }

interface Ask {
  at?: { address: string }
  surfer?: ReturnType<typeof openCookieClient>
  callbackURL?: string
  invite?: string
}

/** Comes in by the provider's button, at the given server unless another is said. */
export function hostedSignIn(parley: { address: string }) {
  /** Presses the provider's button; answers where it leads. */
  async function begin({ at = parley, surfer = openCookieClient(), callbackURL = '/dashboard', invite }: Ask = {}) {
    const answer = await surfer.post(`${at.address}/api/auth/sign-in/social`, {
      provider: 'oidc',
      callbackURL,
      errorCallbackURL: '/sign-in',
      disableRedirect: true,
      ...(invite && { additionalData: { invite } }),
    })
    const body = (await answer.json()) as { url?: string; code?: string; message?: string }
    return { status: answer.status, body, url: body.url ?? '', surfer }
  }

  /** Goes all the way through the provider as somebody; answers where it ends, and the session if there is one. */
  async function signIn(sub: string, ask: Ask = {}) {
    const { address } = ask.at ?? parley
    const { url, surfer, body } = await begin(ask)
    if (!url) throw new Error(JSON.stringify(body))
    const isHome = (it: string) => it.startsWith(address) && !it.includes('/api/auth/callback/')
    const end = new URL(await surfer.follow(url, sub, isHome))
    const me = (await (await surfer.ask(`${address}/api/auth/get-session`)).json()) as { user?: User } | null
    return { path: end.pathname + end.search, error: end.searchParams.get('error'), me: me?.user as User, surfer }
  }

  return { begin, signIn }
}
