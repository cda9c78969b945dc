/** Every address of the client, in one place. */
export const paths = {
  home: '/',
  signIn: '/sign-in',
  signUp: '/sign-up',
  invite: (code: string) => `/invite/${code}`,
  dashboard: '/dashboard',
  threads: '/threads',
  drafts: '/drafts',
  channel: (channelId: string) => `/channels/${channelId}`,
} as const

/** Where to go after signing in; handed along as the router's state. */
export interface Intent {
  from?: string
}
