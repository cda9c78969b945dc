import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useState } from 'react'
import { limits } from '#contract/limits'
import { createProvisioningToken, type ProvisioningToken, revokeProvisioningToken } from '#contract/provisioning'
import { call } from '../../api-client/api.ts'
import { failureText } from '../../api-client/failure-text.ts'
import { t } from '../../i18n/text.ts'
import ConfirmDialog from '../../ui/dialog/confirm-dialog.tsx'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { shortDate } from '../../ui/format/short-date.ts'
import { Button } from '../../ui/input/button.tsx'
import { Field } from '../../ui/input/field.tsx'
import { SkeletonRows } from '../../ui/list/skeleton-rows.tsx'
import { CopiedText } from './copied-text.tsx'
import { provisioningTokens } from './provisioning-queries.ts'

/** Creates a token for a directory, which is shown only once, and lists and revokes the valid ones. */
export function TokenList() {
  const client = useQueryClient()
  const { data: tokens, error, refetch } = useQuery(provisioningTokens)
  const [name, setName] = useState('')
  const [leaving, setLeaving] = useState<ProvisioningToken>()
  const reload = () => client.invalidateQueries({ queryKey: provisioningTokens.queryKey })
  const creating = useMutation({
    mutationFn: () => call(createProvisioningToken, { body: { name: name.trim() } }),
    onSuccess: () => {
      setName('')
      return reload()
    },
    onError: (problem) => console.error('Failed to create token:', problem),
  })
  const revoking = useMutation({
    mutationFn: ({ id }: ProvisioningToken) => call(revokeProvisioningToken, { params: { tokenId: id } }),
    onSuccess: (_, { id }) => {
      if (creating.data?.id === id) creating.reset()
    },
    onError: (problem) => console.error('Failed to revoke token:', problem),
    onSettled: () => {
      setLeaving(undefined)
      return reload()
    },
  })
  useEffect(() => {
    if (error) console.error('Failed to load tokens:', error)
  }, [error])

  const failure = creating.error ?? revoking.error
  return (
    <>
      <NewTokenForm name={name} onName={setName} isBusy={creating.isPending} onCreate={creating.mutate} />
      {failure && (
        <p role="alert" className="mt-2 text-danger text-ui">
          {failureText(t('provisioning.failed'), failure)}
        </p>
      )}
      {creating.data && <NewToken key={creating.data.id} token={creating.data.token} />}
      {!tokens && error && <LoadError text={t('provisioning.loadFailed')} retry={() => void refetch()} />}
      {!tokens && !error && <SkeletonRows />}
      {tokens && tokens.length > 0 && (
        <ul className="mt-4" aria-label={t('provisioning.tokens')}>
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} onRevoke={() => setLeaving(token)} />
          ))}
        </ul>
      )}
      {leaving && (
        <ConfirmDialog
          title={t('provisioning.revokeTitle', { name: leaving.name })}
          action={t('provisioning.revoke')}
          onConfirm={() => revoking.mutate(leaving)}
          onClose={() => setLeaving(undefined)}
        >
          {t('provisioning.revokeText')}
        </ConfirmDialog>
      )}
    </>
  )
}

interface FormProps {
  name: string
  onName: (name: string) => void
  isBusy: boolean
  onCreate: () => void
}

function NewTokenForm({ name, onName, isBusy, onCreate }: FormProps) {
  const canCreate = name.trim() !== '' && !isBusy

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (canCreate) onCreate()
  }

  return (
    <form className="flex max-w-md flex-wrap items-end gap-3" onSubmit={submit}>
      <div className="min-w-48 flex-1">
        <Field
          label={t('provisioning.name')}
          maxLength={limits.provisioning.name}
          value={name}
          onChange={({ target }) => onName(target.value)}
        />
      </div>
      <Button type="submit" variant="pine" className="max-wide:w-full" isBusy={!canCreate}>
        {t('provisioning.create')}
      </Button>
    </form>
  )
}

function NewToken({ token }: { token: string }) {
  return (
    <div className="mt-3 rounded-m bg-pine-wash p-3" role="status">
      <p className="mb-2 text-meta text-soft">{t('provisioning.copyNow')}</p>
      <CopiedText focusesButton label={t('provisioning.token')} text={token} />
    </div>
  )
}

interface RowProps {
  token: ProvisioningToken
  onRevoke: () => void
}

function TokenRow({ token: { name, lastUsedAt }, onRevoke }: RowProps) {
  return (
    <li className="flex min-h-11 items-center gap-3 border-line border-t py-1.5 text-ui first:border-t-0">
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        <bdi className="block font-[550]">{name}</bdi>
        <span className="block text-meta text-soft">
          {lastUsedAt ? t('provisioning.used', { date: shortDate(lastUsedAt) }) : t('provisioning.neverUsed')}
        </span>
      </span>
      <Button aria-label={t('provisioning.revokeLabel', { name })} className="-me-3 flex-none" onClick={onRevoke}>
        {t('provisioning.revoke')}
      </Button>
    </li>
  )
}
