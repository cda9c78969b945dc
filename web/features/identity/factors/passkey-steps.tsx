import { useMutation, useQueryClient } from '@tanstack/react-query'
import { addPasskey, beginPasskey, type Passkey, renamePasskey } from '#contract/passkeys'
import { call } from '../../../api-client/api.ts'
import { t } from '../../../i18n/text.ts'
import { ConfirmForm } from './confirm-form.tsx'
import { myPasskeys } from './factor-queries.ts'
import { createPasskey, PasskeyProblem } from './passkey-browser.ts'
import { PasskeyName } from './passkey-name.tsx'

const logError = (error: Error) => console.error('Failed to change passkeys:', error)

interface Change<Input> {
  change: (input: Input) => Promise<unknown>
  onSuccess?: () => unknown
}

/** Changes my passkeys on the server, then refetches them. */
export function usePasskeyChange<Input>({ change, onSuccess }: Change<Input>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => onSuccess?.(),
    onError: logError,
    onSettled: () => client.invalidateQueries({ queryKey: myPasskeys.queryKey }),
  })
}

interface CreateProps {
  onCreated: (response: Record<string, unknown>) => void
  onCancel: () => void
}

/** Asks for the password, then lets the browser create a passkey. */
export function CreatePasskey({ onCreated, onCancel }: CreateProps) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (password: string) => createPasskey(await call(beginPasskey, { body: { password } })),
    onSuccess: onCreated,
    onError: logError,
  })
  return (
    <ConfirmForm
      text={t('passkeys.confirmAdd')}
      action={t('passkeys.add')}
      isBusy={isPending}
      error={error}
      failed={error instanceof PasskeyProblem ? error.message : t('passkeys.failed')}
      onConfirm={mutate}
      onCancel={onCancel}
    />
  )
}

interface NameProps {
  /** The browser's response when it created the passkey. */
  response: Record<string, unknown>
  onAdded: () => void
  onCancel: () => void
}

/** Names a passkey that the browser has just created, and adds it to my account. */
export function NamePasskey({ response, onAdded, onCancel }: NameProps) {
  const { mutate, isPending, error } = usePasskeyChange({
    change: (name: string) => call(addPasskey, { body: { name, response } }),
    onSuccess: onAdded,
  })
  return (
    <PasskeyName
      initial={t('passkeys.defaultName')}
      isBusy={isPending}
      error={error}
      onSave={mutate}
      onCancel={onCancel}
    />
  )
}

interface RenameProps {
  passkey: Passkey
  onRenamed: () => void
  onCancel: () => void
}

export function RenamePasskey({ passkey: { id, name }, onRenamed, onCancel }: RenameProps) {
  const { mutate, isPending, error } = usePasskeyChange({
    change: (next: string) => call(renamePasskey, { params: { passkeyId: id }, body: { name: next } }),
    onSuccess: onRenamed,
  })
  return <PasskeyName initial={name} isBusy={isPending} error={error} onSave={mutate} onCancel={onCancel} />
}
