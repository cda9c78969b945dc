import {
  type ConfirmedEmail,
  type InviteGreeting,
  type OwnerLinkCheck,
  type PasswordReset,
  PROVIDER,
  type SignInWays,
} from '#contract/identity'
import { callIdentity, IdentityError } from './session.ts'
import { finishSignOut } from './sign-out.ts'

/** Whether the user is signed in, or has to give a second factor first. */
type SignInResult = 'done' | 'needsCode'

/** @param login an email address or a username */
export async function signIn({ login, password }: { login: string; password: string }): Promise<SignInResult> {
  await finishSignOut()
  const isEmail = login.includes('@')
  const { twoFactorRedirect } = await callIdentity<{ twoFactorRedirect?: boolean }>(
    'POST',
    isEmail ? '/sign-in/email' : '/sign-in/username',
    isEmail ? { email: login, password } : { username: login, password },
  )
  return twoFactorRedirect ? 'needsCode' : 'done'
}

/** Completes a sign-in with a code of an app, or with a recovery code. */
export const giveSecondFactor = (code: string, isRecovery: boolean) =>
  callIdentity('POST', isRecovery ? '/two-factor/verify-backup-code' : '/two-factor/verify-totp', { code })

interface Newcomer {
  name: string
  username: string
  email: string
  password: string
  /** The code of an invite, or of the owner's link. */
  invite?: string | undefined
}

/** The options with which the browser asks for a passkey. */
export const fetchPasskeyOptions = () =>
  callIdentity<Record<string, unknown>>('GET', '/passkey/generate-authenticate-options')

export async function signInByPasskey(response: object) {
  await finishSignOut()
  await callIdentity('POST', '/passkey/verify-authentication', { response })
}

export async function signUp(person: Newcomer) {
  await finishSignOut()
  await callIdentity('POST', '/sign-up/email', { ...person, name: person.name.trim() || person.username })
}

/** The ways to sign in that this server offers. */
export const fetchSignInWays = () => callIdentity<SignInWays>('GET', '/ways')

/** Whether a code is the one of the owner's link, and the workspace has no owner yet. */
export const checkOwnerLink = async (code: string) =>
  (await callIdentity<OwnerLinkCheck>('POST', '/owner-link/check', { code })).isValid

/** The sender of an invite; null if it has ended or never existed. */
export const fetchInvite = (code: string) =>
  orNull(callIdentity<InviteGreeting>('GET', `/invite?code=${encodeURIComponent(code)}`))

/** The user whose password a link sets; null if it has ended or never existed. */
export const fetchPasswordReset = (code: string) =>
  orNull(callIdentity<PasswordReset>('POST', '/password-reset/check', { code }))

/** The address that a link confirms; null if it has ended or never existed. */
export const fetchEmailLink = (code: string) => orNull(callIdentity<ConfirmedEmail>('POST', '/email/check', { code }))

export const confirmEmail = (code: string) => callIdentity<ConfirmedEmail>('POST', '/email/confirm', { code })

const orNull = <T>(reply: Promise<T>): Promise<T | null> =>
  reply.catch((error) => {
    if (error instanceof IdentityError && error.status === 404) return null
    throw error
  })

/** Requests a mail with a link to a new password. The response is the same for unknown addresses. */
export const askForPasswordLink = (email: string) => callIdentity('POST', '/password-reset/mail', { email })

/** Sets a new password by the code of a link, and signs in with it. */
export async function resetPassword(code: string, password: string) {
  const { username } = await callIdentity<PasswordReset>('POST', '/password-reset', { code, new: password })
  return signIn({ login: username, password })
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
