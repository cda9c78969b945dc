import { type InviteGreeting, PROVIDER, type SignInWays } from '#contract/identity'
import { callIdentity, IdentityError } from './session.ts'
import { finishSignOut } from './sign-out.ts'

/** @param login an email address or a username */
export async function signIn({ login, password }: { login: string; password: string }) {
  await finishSignOut()
  if (login.includes('@')) await callIdentity('POST', '/sign-in/email', { email: login, password })
  else await callIdentity('POST', '/sign-in/username', { username: login, password })
}

interface Newcomer {
  name: string
  username: string
  email: string
  password: string
  /** The code of an invite link. */
  invite?: string | undefined
}

export async function signUp(person: Newcomer) {
  await finishSignOut()
  await callIdentity('POST', '/sign-up/email', { ...person, name: person.name.trim() || person.username })
}

/** The ways to sign in that this server offers. */
export const fetchSignInWays = () => callIdentity<SignInWays>('GET', '/ways')

/** The sender of an invite; null if it has ended or never existed. */
export async function fetchInvite(code: string): Promise<InviteGreeting | null> {
  try {
    return await callIdentity<InviteGreeting>('GET', `/invite?code=${encodeURIComponent(code)}`)
  } catch (error) {
    if (error instanceof IdentityError && error.status === 404) return null
    throw error
  }
}

/** Sends the browser to the hosted provider, which sends it back to `to`, or to the sign-in page with an error. */
export async function signInHosted({ to, invite }: { to: string; invite?: string | undefined }) {
  await finishSignOut()
  const { url } = await callIdentity<{ url: string }>('POST', '/sign-in/social', {
    provider: PROVIDER,
    callbackURL: to,
    errorCallbackURL: '/sign-in',
    disableRedirect: true,
    ...(invite && { additionalData: { invite } }),
  })
  window.location.assign(url)
}
