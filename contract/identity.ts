export const signUpModes = ['open', 'invite', 'closed'] as const
export type SignUpMode = (typeof signUpModes)[number]

/** The reply of `GET /api/auth/ways`: the available ways to sign in. */
export interface SignInWays {
  /** The name of the hosted provider. */
  provider: { name: string } | null
  /** Whether people can sign in with a password. */
  password: boolean
  signUp: SignUpMode
}

/** The reply of `GET /api/auth/invite?code=` for a valid invite. */
export interface InviteGreeting {
  /** Who made it. */
  from: string
}

/** The hosted provider's id, in paths and in the accounts' rows. */
export const PROVIDER = 'oidc'

/** The reply of `POST /api/auth/sign-out`. */
export interface SignOutAnswer {
  success: true
  /** The URL to visit next, which ends the session at the hosted provider and returns to `/sign-in`. */
  redirectTo: string | null
}
