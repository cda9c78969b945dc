import type { Role } from './roles.ts'

/** Permissions that the owner may grant, with the roles that have them by default. The owner always has all of them. */
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
  addEmoji: ['owner', 'admin', 'member'],
} satisfies Record<string, Role[]>

export type Permission = keyof typeof standardRoles
export const permissions = Object.keys(standardRoles) as Permission[]

/** A role's permissions while the owner has changed nothing. */
export const standardPermissions = (role: Role): Permission[] =>
  permissions.filter((permission) => (standardRoles[permission] as readonly Role[]).includes(role))
