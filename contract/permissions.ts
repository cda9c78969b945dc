import type { Role } from './roles.ts'

/** What the owner may allow to each role, and who may do it by default. The owner may do all of it, always. */
export const standardRoles = {
  createPublicChannels: ['owner', 'admin', 'member'],
  createPrivateChannels: ['owner', 'admin', 'member'],
  inviteToWorkspace: ['owner', 'admin'],
  inviteToChannels: ['owner', 'admin', 'member'],
  post: ['owner', 'admin', 'member', 'guest'],
  mentionChannel: ['owner', 'admin', 'member'],
  upload: ['owner', 'admin', 'member', 'guest'],
  deleteMessages: ['owner', 'admin'],
  seeEmails: ['owner', 'admin'],
  createGroups: ['owner', 'admin'],
} satisfies Record<string, Role[]>

export type Permission = keyof typeof standardRoles
export const permissions = Object.keys(standardRoles) as Permission[]

/** What a role may do while the owner has changed nothing. */
export const standardPermissions = (role: Role): Permission[] =>
  permissions.filter((permission) => (standardRoles[permission] as readonly Role[]).includes(role))
