import { useMutation, useQueryClient } from '@tanstack/react-query'
import { deactivateUser, reactivateUser } from '#contract/users'
import type { Account } from '#contract/workspace'
import { call } from '../../api-client/api.ts'
import { failureText } from '../../api-client/failure-text.ts'
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
      const text = isOut ? 'Failed to reactivate' : 'Failed to deactivate'
      console.error(`${text}:`, error)
      onDone(failureText(`${text} ${person.name}`, error))
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
      <ConfirmDialog title="Reactivate Account" action="Reactivate" onConfirm={confirm} onClose={onClose}>
        Let {name} sign in again? Everything is as they left it, except channels that were given to new owners.
      </ConfirmDialog>
    )
  return (
    <ConfirmDialog title="Deactivate Account" action="Deactivate" onConfirm={confirm} onClose={onClose}>
      Sign {name} out everywhere and stop them from signing in? Their messages stay. Each channel they own goes to its
      longest-standing member.
    </ConfirmDialog>
  )
}
