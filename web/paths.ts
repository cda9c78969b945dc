/** The paths of all pages. */
export const paths = {
  home: '/',
  signIn: '/sign-in',
  signUp: '/sign-up',
  invite: (code: string) => `/invite/${code}`,
  newPassword: '/new-password',
  forgotPassword: '/forgot-password',
  confirmEmail: '/confirm-email',
  stopMail: '/stop-mail',
  dashboard: '/dashboard',
  threads: '/threads',
  later: '/later',
  drafts: '/drafts',
  share: '/share',
  scheduled: '/drafts?show=scheduled',
  admin: (section = '') => `/admin/${section}`,
  channel: (channelId: string) => `/channels/${channelId}`,
  pins: (channelId: string) => `/channels/${channelId}?pins=open`,
} as const

/** The router state that says where to go after signing in. */
export interface Intent {
  from?: string
  /** The password was given on another page, and the second factor is due. */
  needsCode?: boolean
  /** They deleted their account just now. */
  hasDeletedAccount?: boolean
}
