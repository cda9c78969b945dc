import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type Invite, revokeInvite } from '#contract/invites'
import { call } from '../../api-client/api.ts'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { Button } from '../../ui/input/button.tsx'
import { SkeletonRows } from '../../ui/list/skeleton-rows.tsx'
import { liveInvites } from './identity-queries.ts'
import { NewInvite } from './new-invite.tsx'

/** 'Nov 29', with the year unless it is this one. */
function shortDate(time: string) {
  const date = new Date(time)
  const year = date.getFullYear() === new Date().getFullYear() ? undefined : 'numeric'
  return date.toLocaleDateString(undefined, { month: 'short', day: 'numeric', year })
}

/** Creates an invite link, and lists the active ones. */
export function InviteLinks() {
  const client = useQueryClient()
  const { data: invites, error, refetch } = useQuery(liveInvites)
  const revocation = useMutation({
    mutationFn: ({ id }: Invite) => call(revokeInvite, { params: { inviteId: id } }),
    onError: (problem) => console.error('Failed to revoke invite:', problem),
    onSettled: () => client.invalidateQueries({ queryKey: liveInvites.queryKey }),
  })
  useEffect(() => {
    if (error) console.error('Failed to load invites:', error)
  }, [error])

  return (
    <>
      <NewInvite />
      {revocation.error && (
        <p role="alert" className="mt-2 text-danger text-ui">
          Failed to revoke invite
        </p>
      )}
      {!invites && error && <LoadError text="Failed to load invites" retry={() => void refetch()} />}
      {!invites && !error && <SkeletonRows />}
      {invites && invites.length > 0 && (
        <ul className="mt-3" aria-label="Invite links">
          {invites.map((invite) => (
            <li
              key={invite.id}
              className="flex min-h-11 items-center gap-3 border-line border-t py-1 text-ui first:border-t-0"
            >
              <span className="min-w-0 flex-1 truncate">
                {invite.uses} of {invite.maxUses} joined
                <span className="text-soft">
                  {' · expires '}
                  {shortDate(invite.expiresAt)}
                  {' · created by '}
                  <bdi>{invite.createdBy.name}</bdi>
                </span>
              </span>
              <Button
                aria-label="Revoke invite"
                className="-me-3 flex-none"
                disabled={revocation.isPending}
                onClick={() => revocation.mutate(invite)}
              >
                Revoke
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
