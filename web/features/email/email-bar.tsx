import { useMutation } from '@tanstack/react-query'
import { MailWarning, X } from 'lucide-react'
import { useState } from 'react'
import { sendConfirmation } from '#contract/email'
import type { Me } from '#contract/users'
import { call } from '../../api-client/api.ts'
import { failureText } from '../../api-client/failure-text.ts'
import { rich, t } from '../../i18n/text.ts'
import { readItem, saveItem } from '../../ui/device/local-storage.ts'
import { Button } from '../../ui/input/button.tsx'
import { IconButton } from '../../ui/input/icon-button.tsx'

/** Says that my address is not confirmed, until it is or I close the bar. The settings still say so then. */
export function EmailBar({ me }: { me: Me }) {
  const key = `parley.emailBar.${me.id}`
  const [isClosed, setClosed] = useState(() => readItem(key) === me.email)
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => call(sendConfirmation, {}),
    onError: (failure) => console.error('Failed to mail the link:', failure),
  })
  if (!me.isUnconfirmed || isClosed) return null
  return (
    <section
      aria-label={t('email.barTitle')}
      className="flex min-h-10 items-center gap-2 border-line border-b bg-sunk py-1 ps-(--gutter) pe-2 text-soft text-ui"
    >
      <MailWarning size={16} className="flex-none" />
      <p role="status" className="min-w-0 flex-1 text-pretty [overflow-wrap:anywhere]">
        {error
          ? failureText(t('email.resendFailed'), error)
          : isSuccess
            ? t('email.resent')
            : rich('email.bar', {
                email: (
                  <bdi dir="ltr" className="font-[550] text-ink">
                    {me.email}
                  </bdi>
                ),
              })}
      </p>
      {!isSuccess && (
        <Button variant="line" className="pointer-coarse:h-11" isBusy={isPending} onClick={() => mutate()}>
          {t('email.resend')}
        </Button>
      )}
      <IconButton
        name={t('email.later')}
        onClick={() => {
          saveItem(key, me.email)
          setClosed(true)
        }}
      >
        <X size={16} />
      </IconButton>
    </section>
  )
}
