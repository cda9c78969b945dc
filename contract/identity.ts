export const signUpModes = ['open', 'invite', 'closed'] as const
export type SignUpMode = (typeof signUpModes)[number]

/** The reply of `GET /api/auth/ways`: the available ways to sign in. */
export interface SignInWays {
  /** The name of the hosted provider. */
  provider: { name: string } | null
  /** Whether people can sign in with a password. */
  password: boolean
  signUp: SignUpMode
  /** Whether nobody has signed up yet. Whoever is first becomes the owner. */
  isEmpty: boolean
  /** Whether mail is sent: `POST /api/auth/password-reset/mail`, which takes `{ email }`, mails a link to a new password. */
  sendsMail: boolean
}

/** The reply of `GET /api/auth/invite?code=` for a valid invite. */
export interface InviteGreeting {
  /** Who made it. */
  from: string
  /** The only address that may use it; null if whoever has the link may. */
  email: string | null
}

/** The hosted provider's id, in paths and in the accounts' rows. */
export const PROVIDER = 'oidc'

/** The reply of `POST /api/auth/sign-out`. */
export interface SignOutAnswer {
  success: true
  /** The URL to visit next, which ends the session at the hosted provider and returns to `/sign-in`. */
  redirectTo: string | null
}

/** The reply of `POST /api/auth/password-reset`, which takes `{ code, new }`, and of `…/check`, which takes `{ code }`. */
export interface PasswordReset {
  /** Whose password it is. */
  username: string
}

/** The reply of `POST /api/auth/email/check` and `…/confirm`, which take the `{ code }` of a mailed link. */
export interface ConfirmedEmail {
  username: string
  email: string
  /** Whether it replaces another address. */
  isNew: boolean
}
