import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { fieldProblem } from './errors.ts'
import { type Permission, permissions, standardRoles } from './permissions.ts'
import { type Role, roles } from './roles.ts'

/** Guests can never have these: each would show them more than their channels, or be seen beyond these. */
const neverGuests: ReadonlySet<Permission> = new Set([
  'createPublicChannels',
  'inviteToWorkspace',
  'seeEmails',
  'createGroups',
  'addEmoji',
])

/** Whether the owner may grant or revoke the permission for the role. */
export const isDecidable = (permission: Permission, role: Role) =>
  role !== 'owner' && !(role === 'guest' && neverGuests.has(permission))

/** The roles that have each permission. */
export type PermissionTable = Record<Permission, Role[]>

/** The owner's changes; everything else is as by default. */
export type ChangedPermissions = Partial<Record<string, readonly string[]>>

/** The full table. Ignores unknown permissions, and overrides of those that nobody may change. */
export const permissionTable = (changed: ChangedPermissions): PermissionTable =>
  Object.fromEntries(
    permissions.map((permission) => {
      const standard: readonly Role[] = standardRoles[permission]
      const given = changed[permission] ?? standard
      return [
        permission,
        roles.filter((role) => (isDecidable(permission, role) ? given : standard).includes(role)),
      ] as const
    }),
  ) as PermissionTable

/** The permissions of a role. */
export function permissionsOf(role: Role, changed: ChangedPermissions = {}): Permission[] {
  const table = permissionTable(changed)
  return permissions.filter((permission) => table[permission].includes(role))
}

const RoleList = z.array(z.enum(roles, fieldProblem('errors.notOneOf', { options: roles.join(', ') })))
export const Permissions = z.object(
  Object.fromEntries(permissions.map((permission) => [permission, RoleList])) as Record<Permission, typeof RoleList>,
)

export const getPermissions = endpoint({
  method: 'GET',
  path: '/api/workspace/permissions',
  summary: 'Which roles may do what. For the owner and admins.',
  reply: Permissions,
})

export const setPermissions = endpoint({
  method: 'PATCH',
  path: '/api/workspace/permissions',
  summary: 'Change which roles may do what. For the owner, whose own permissions stay.',
  body: z.partial(Permissions),
  reply: Permissions,
})
