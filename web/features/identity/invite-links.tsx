import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type Invite, revokeInvite } from '#contract/invites'
import { call } from '../../api-client/api.ts'
import { rich, t } from '../../i18n/text.ts'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { shortDate } from '../../ui/format/short-date.ts'
import { Button } from '../../ui/input/button.tsx'
import { SkeletonRows } from '../../ui/list/skeleton-rows.tsx'
import { liveInvites } from './identity-queries.ts'
import { NewInvite } from './new-invite.tsx'

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
          {t('identity.invites.revokeFailed')}
        </p>
      )}
      {!invites && error && <LoadError text={t('identity.invites.loadFailed')} retry={() => void refetch()} />}
      {!invites && !error && <SkeletonRows />}
      {invites && invites.length > 0 && (
        <ul className="mt-3" aria-label={t('identity.invites.list')}>
          {invites.map((invite) => (
            <li
              key={invite.id}
              className="flex min-h-11 items-center gap-3 border-line border-t py-1 text-ui first:border-t-0"
            >
              <span className="min-w-0 flex-1 text-pretty [overflow-wrap:anywhere]">
                {rich('identity.invites.line', {
                  uses: invite.uses,
                  max: invite.maxUses,
                  date: shortDate(invite.expiresAt),
                  name: <bdi>{invite.createdBy.name}</bdi>,
                  soft: (part) => <span className="text-soft">{part}</span>,
                })}
              </span>
              <Button
                aria-label={t('identity.invites.revokeLabel')}
                className="-me-3 flex-none"
                isBusy={revocation.isPending}
                onClick={() => revocation.mutate(invite)}
              >
                {t('identity.invites.revoke')}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
