import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { getPermissions, setPermissions } from '#contract/permission-table'
import type { Permission } from '#contract/permissions'
import type { Role } from '#contract/roles'
import { call } from '../../api-client/api.ts'
import { patch, refetch } from '../../cache/patch-query.ts'

export const permissionTable = queryOptions({
  queryKey: ['permissions'] as const,
  queryFn: () => call(getPermissions, {}),
  staleTime: 0,
})

interface Change {
  permission: Permission
  /** The roles that have it from now on. */
  given: Role[]
}

/** Shows a change at once, before the server has stored it. */
export const showChange = (client: QueryClient, { permission, given }: Change) =>
  patch(client, permissionTable.queryKey, (held) => ({ ...held, [permission]: given }))

const mutationKey = ['change permissions'] as const

export const permissionChange = (client: QueryClient) =>
  mutationOptions({
    mutationKey,
    mutationFn: ({ permission, given }: Change) => call(setPermissions, { body: { [permission]: given } }),
    // One after the other.
    scope: { id: 'permissions' },
    onError: (failure) => console.error('Failed to change permissions:', failure),
    // A response in flight may be older. Only the last of several changes refetches.
    onSettled: () => {
      if (client.isMutating({ mutationKey }) === 1) void refetch(client, { queryKey: permissionTable.queryKey })
    },
  })
