import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { cancelEmail, type MyEmail, sendConfirmation } from '#contract/email'
import { call } from '../../api-client/api.ts'
import { failureText } from '../../api-client/failure-text.ts'
import { rich, t } from '../../i18n/text.ts'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { Button } from '../../ui/input/button.tsx'
import { SkeletonRows } from '../../ui/list/skeleton-rows.tsx'
import { EmailForm } from './email-form.tsx'
import { myEmail } from './email-queries.ts'
import { MailRuleChoice } from './mail-rules.tsx'

/** My address: whether it is confirmed, and changing it. */
export function EmailSettings() {
  const { data, error, refetch } = useQuery(myEmail)
  useEffect(() => {
    if (error) console.error('Failed to load the address:', error)
  }, [error])
  if (!data && error) return <LoadError text={t('email.loadFailed')} retry={() => void refetch()} />
  if (!data) return <SkeletonRows />
  return (
    <div className="flex flex-col gap-5">
      <Address mine={data} />
      {data.sendsMail && data.isMine && !data.pending && <EmailForm />}
      {data.sendsMail && !data.isMine && <p className="text-soft text-ui">{t('errors.emailOfProvider')}</p>}
      {!data.sendsMail && <p className="text-pretty text-soft text-ui">{t('email.noMail')}</p>}
      {data.sendsMail && <MailRuleChoice />}
    </div>
  )
}

/** Mails the link again, and cancels the change to another address. */
function useEmailChanges() {
  const client = useQueryClient()
  const resending = useMutation({
    mutationFn: () => call(sendConfirmation, {}),
    onSuccess: (mine) => client.setQueryData(myEmail.queryKey, mine),
    onError: (error) => console.error('Failed to mail the link:', error),
  })
  const cancelling = useMutation({
    mutationFn: () => call(cancelEmail, {}),
    onSuccess: () => client.invalidateQueries({ queryKey: myEmail.queryKey }),
    onError: (error) => console.error('Failed to cancel the change:', error),
  })
  return { resending, cancelling }
}

function Address({ mine: { email, isConfirmed, pending, sendsMail } }: { mine: MyEmail }) {
  const { resending, cancelling } = useEmailChanges()
  const failure = resending.error
    ? failureText(t('email.resendFailed'), resending.error)
    : cancelling.error && failureText(t('email.cancelFailed'), cancelling.error)

  return (
    <div>
      <div className="mb-1.5 font-[550] text-ui">{t('email.address')}</div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ui">
        <bdi dir="ltr" className="min-w-0 [overflow-wrap:anywhere]">
          {email}
        </bdi>
        {sendsMail && (
          <span className={`text-meta ${isConfirmed ? 'text-soft' : 'text-danger'}`}>
            {isConfirmed ? t('email.confirmed') : t('email.unconfirmed')}
          </span>
        )}
      </div>
      {pending && (
        <p className="mt-3 max-w-prose text-pretty text-ui">
          {rich('email.pending', {
            email: (
              <bdi dir="ltr" className="font-[600] [overflow-wrap:anywhere]">
                {pending.email}
              </bdi>
            ),
          })}
        </p>
      )}
      {sendsMail && (pending || !isConfirmed) && (
        <div className="mt-3 flex flex-wrap items-center gap-2">
          <Button variant="line" isBusy={resending.isPending} onClick={() => resending.mutate()}>
            {t('email.resend')}
          </Button>
          {pending && (
            <Button isBusy={cancelling.isPending} onClick={() => cancelling.mutate()}>
              {t('email.cancel')}
            </Button>
          )}
          <p role="status" className="text-meta text-soft">
            {resending.isSuccess && t('email.resent')}
          </p>
        </div>
      )}
      {failure && (
        <p role="alert" className="mt-2 text-danger text-meta">
          {failure}
        </p>
      )}
    </div>
  )
}
