/** The paths of all pages. */
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

/** The router state that says where to go after signing in. */
export interface Intent {
  from?: string
}
