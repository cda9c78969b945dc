import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { unmutePerson } from '#contract/moderation'
import { changeRole, reactivateUser } from '#contract/users'
import type { Account } from '#contract/workspace'
import { call } from '../../api-client/api.ts'
import { failureText } from '../../api-client/failure-text.ts'
import { rich, t } from '../../i18n/text.ts'
import ConfirmDialog from '../../ui/dialog/confirm-dialog.tsx'
import { refetchAccounts } from './identity-queries.ts'

export type AccountChange = 'reactivate' | 'makeAdmin' | 'removeAdmin' | 'makeMember' | 'unmute'

interface Wording {
  title: string
  action: string
  text: ReactNode
  failed: string
  isGift?: true
}

/** @param name as an element, for the question */
const wordings: Record<AccountChange, (person: Account, name: ReactNode) => Wording> = {
  reactivate: (person, name) => ({
    title: t('identity.accounts.reactivateTitle'),
    action: t('identity.accounts.reactivate'),
    text: rich('identity.accounts.reactivateText', { name }),
    failed: t('identity.accounts.reactivateFailed', { name: person.name }),
    isGift: true,
  }),
  makeAdmin: (person, name) => ({
    title: t('identity.accounts.makeAdminTitle'),
    action: t('identity.accounts.makeAdmin'),
    text: rich('identity.accounts.makeAdminText', { name }),
    failed: t('identity.accounts.makeAdminFailed', { name: person.name }),
    isGift: true,
  }),
  makeMember: (person, name) => ({
    title: t('identity.accounts.makeMemberTitle'),
    action: t('identity.accounts.makeMember'),
    text: rich('identity.accounts.makeMemberText', { name }),
    failed: t('identity.accounts.makeMemberFailed', { name: person.name }),
    isGift: true,
  }),
  unmute: (person, name) => ({
    title: t('identity.unmute.title'),
    action: t('identity.unmute.action'),
    text: rich('identity.unmute.text', { name }),
    failed: t('identity.unmute.failed', { name: person.name }),
    isGift: true,
  }),
  removeAdmin: (person, name) => ({
    title: t('identity.accounts.removeAdminTitle'),
    action: t('identity.accounts.removeAdmin'),
    text: rich('identity.accounts.removeAdminText', { name }),
    failed: t('identity.accounts.removeAdminFailed', { name: person.name }),
  }),
}

const calls: Record<AccountChange, (userId: string) => Promise<unknown>> = {
  reactivate: (userId) => call(reactivateUser, { params: { userId } }),
  makeAdmin: (userId) => call(changeRole, { params: { userId }, body: { role: 'admin' } }),
  makeMember: (userId) => call(changeRole, { params: { userId }, body: { role: 'member' } }),
  unmute: (userId) => call(unmutePerson, { params: { userId } }),
  removeAdmin: (userId) => call(changeRole, { params: { userId }, body: { role: 'member' } }),
}

interface Props {
  person: Account
  change: AccountChange
  onClose: () => void
  /** Called with a sentence if the change failed. */
  onDone: (problem?: string) => void
}

/** Asks for confirmation before somebody loses or gets their account or role. */
export function AccountChangeDialog({ person, change, onClose, onDone }: Props) {
  const client = useQueryClient()
  const { title, action, text, failed, isGift } = wordings[change](person, <bdi>{person.name}</bdi>)
  const { mutate } = useMutation({
    mutationFn: () => calls[change](person.id),
    onSuccess: () => onDone(),
    onError: (error) => {
      console.error(`Failed to change an account (${change}):`, error)
      onDone(failureText(failed, error))
    },
    onSettled: () => refetchAccounts(client),
  })

  function confirm() {
    mutate()
    onClose()
  }

  return (
    <ConfirmDialog
      title={title}
      action={action}
      variant={isGift ? 'pine' : 'danger'}
      onConfirm={confirm}
      onClose={onClose}
    >
      {text}
    </ConfirmDialog>
  )
}
