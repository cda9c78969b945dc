export const signUpModes = ['open', 'invite', 'closed'] as const
export type SignUpMode = (typeof signUpModes)[number]

/** The reply of `GET /api/auth/ways`: the available ways to sign in. */
export interface SignInWays {
  /** The hosted provider's display name. */
  provider: { name: string } | null
  /** Whether people can sign in with a password. */
  password: boolean
  signUp: SignUpMode
  /** What the workspace is called; public. */
  workspaceName: string
  /** Whether nobody owns the workspace yet. */
  isEmpty: boolean
  /** Whether that takes the owner's link, which the server prints when it starts: it does from any other machine. */
  needsOwnerLink: boolean
  /**
   * Whether the server sends mail. If so, `POST /api/auth/password-reset/mail` with `{ email }` mails a link to set a new
   * password.
   */
  sendsMail: boolean
}

/** The reply of `POST /api/auth/owner-link/check`, which takes the `{ code }` of the owner's link. */
export interface OwnerLinkCheck {
  isValid: boolean
}

/** The reply of `GET /api/auth/invite?code=` for a valid invite. */
export interface InviteGreeting {
  /** The name of the person who created it. */
  from: string
  /** The only address that may use it; null if anybody with the link may. */
  email: string | null
}

/** The hosted provider's id, in paths and in account rows. */
export const PROVIDER = 'oidc'

/** The body of `POST /api/auth/sign-out`. */
export interface SignOutRequest {
  /** Ends the session, but doesn't clear its cookie. A response that arrives late would clear the next session's. */
  keepsCookie?: boolean | undefined
}

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
