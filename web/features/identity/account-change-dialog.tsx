import { useMutation, useQueryClient } from '@tanstack/react-query'
import { deactivateUser, reactivateUser } from '#contract/users'
import type { Account } from '#contract/workspace'
import { call } from '../../api-client/api.ts'
import { failureText } from '../../api-client/failure-text.ts'
import { rich, t } from '../../i18n/text.ts'
import ConfirmDialog from '../../ui/dialog/confirm-dialog.tsx'
import { refetchAccounts } from './identity-queries.ts'

interface Props {
  person: Account
  onClose: () => void
  /** Called with a sentence if the change failed. */
  onDone: (problem?: string) => void
}

/** Asks for confirmation before an account is deactivated or reactivated. */
export function AccountChangeDialog({ person, onClose, onDone }: Props) {
  const client = useQueryClient()
  const isOut = person.deactivatedAt !== null
  const { mutate } = useMutation({
    mutationFn: () => call(isOut ? reactivateUser : deactivateUser, { params: { userId: person.id } }),
    onSuccess: () => onDone(),
    onError: (error) => {
      console.error(`Failed to ${isOut ? 'reactivate' : 'deactivate'} an account:`, error)
      const { name } = person
      const text = isOut
        ? t('identity.accounts.reactivateFailed', { name })
        : t('identity.accounts.deactivateFailed', { name })
      onDone(failureText(text, error))
    },
    onSettled: () => refetchAccounts(client),
  })

  function confirm() {
    mutate()
    onClose()
  }

  const name = <bdi>{person.name}</bdi>
  if (isOut)
    return (
      <ConfirmDialog
        title={t('identity.accounts.reactivateTitle')}
        action={t('identity.accounts.reactivate')}
        onConfirm={confirm}
        onClose={onClose}
      >
        {rich('identity.accounts.reactivateText', { name })}
      </ConfirmDialog>
    )
  return (
    <ConfirmDialog
      title={t('identity.accounts.deactivateTitle')}
      action={t('identity.accounts.deactivate')}
      onConfirm={confirm}
      onClose={onClose}
    >
      {rich('identity.accounts.deactivateText', { name })}
    </ConfirmDialog>
  )
}
