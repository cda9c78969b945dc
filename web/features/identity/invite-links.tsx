import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { type Invite, mailInviteAgain, revokeInvite } from '#contract/invites'
import { call } from '../../api-client/api.ts'
import { failureText } from '../../api-client/failure-text.ts'
import { formatList } from '../../i18n/format.ts'
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
  const resending = useMutation({
    mutationFn: ({ id }: Invite) => call(mailInviteAgain, { params: { inviteId: id } }),
    onError: (problem) => console.error('Failed to mail invite:', problem),
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
      {resending.error && (
        <p role="alert" className="mt-2 text-danger text-ui">
          {failureText(t('identity.invites.resendFailed'), resending.error)}
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
                <InviteLine invite={invite} />
                {invite.guestUntil && (
                  <span className="block text-meta text-soft">
                    {t('identity.guests.line', {
                      channels: formatList(invite.channels.map(({ name }) => `#${name}`)),
                      date: shortDate(invite.guestUntil),
                    })}
                  </span>
                )}
              </span>
              {invite.mail && (
                <Button
                  className="-me-2 flex-none"
                  isBusy={resending.isPending || invite.mail === 'waiting'}
                  onClick={() => resending.mutate(invite)}
                >
                  {t('identity.invites.resend')}
                </Button>
              )}
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

const soft = (part: ReactNode) => <span className="text-soft">{part}</span>

/** The state of an invite: how many joined by the link, or whom it was mailed to. */
function InviteLine({ invite }: { invite: Invite }) {
  const { uses, maxUses, expiresAt, createdBy, email, mail, mailedAt } = invite
  const name = <bdi>{createdBy.name}</bdi>
  if (!mail) return rich('identity.invites.line', { uses, max: maxUses, date: shortDate(expiresAt), name, soft })
  return rich('identity.invites.mailLine', {
    email: <bdi dir="ltr">{email ?? t('identity.invites.mailHidden')}</bdi>,
    state: mail,
    date: shortDate(mailedAt ?? invite.createdAt),
    expires: shortDate(expiresAt),
    name,
    b: (part) => <span className="font-[550]">{part}</span>,
    soft,
  })
}
