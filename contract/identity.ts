export const signUpModes = ['open', 'invite', 'closed'] as const
export type SignUpMode = (typeof signUpModes)[number]

/** What `GET /api/auth/ways` tells a visitor: how people come in here. */
export interface SignInWays {
  /** The hosted provider, by the name on its button. */
  provider: { name: string } | null
  /** Whether there is a form for a password. */
  password: boolean
  signUp: SignUpMode
}

/** What `GET /api/auth/invite?code=` tells of an invite that still lets somebody in. */
export interface InviteGreeting {
  /** Who made it. */
  from: string
}

/** The hosted provider's id, in paths and in the accounts' rows. */
export const PROVIDER = 'oidc'

/** What `POST /api/auth/sign-out` answers. */
export interface SignOutAnswer {
  success: true
  /** Where the browser must go next, so that the session at the hosted provider ends too; it comes back to `/sign-in`. */
  redirectTo: string | null
}
