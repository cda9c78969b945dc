import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { addPasskey, beginPasskey, type Passkey, removePasskey, renamePasskey } from '#contract/passkeys'
import { call } from '../../../api-client/api.ts'
import { failureText } from '../../../api-client/failure-text.ts'
import { rich, t } from '../../../i18n/text.ts'
import ConfirmDialog from '../../../ui/dialog/confirm-dialog.tsx'
import { LoadError } from '../../../ui/feedback/load-error.tsx'
import { shortDate } from '../../../ui/format/short-date.ts'
import { Button } from '../../../ui/input/button.tsx'
import { SkeletonRows } from '../../../ui/list/skeleton-rows.tsx'
import { ConfirmForm } from './confirm-form.tsx'
import { myPasskeys } from './factor-queries.ts'
import { canUsePasskeys, createPasskey, PasskeyProblem } from './passkey-browser.ts'
import { PasskeyName } from './passkey-name.tsx'

type Step =
  | { step: 'list' | 'confirm' }
  | { step: 'name'; response: Record<string, unknown> }
  | { step: 'rename' | 'remove'; passkey: Passkey }

interface Props {
  heading?: 'h2' | 'h4'
  onAdded?: () => unknown
}

/** My passkeys: adds, renames and removes them. */
export function PasskeyList({ heading: Heading = 'h4', onAdded }: Props) {
  const client = useQueryClient()
  const { data: passkeys, error: loadError, refetch } = useQuery(myPasskeys)
  const [at, go] = useState<Step>({ step: 'list' })
  const goBack = () => go({ step: 'list' })
  const onError = (error: Error) => console.error('Failed to change passkeys:', error)
  const onSettled = () => client.invalidateQueries({ queryKey: myPasskeys.queryKey })
  const creating = useMutation({
    mutationFn: async (password: string) => createPasskey(await call(beginPasskey, { body: { password } })),
    onSuccess: (response) => go({ step: 'name', response }),
    onError,
  })
  const adding = useMutation({
    mutationFn: (body: { name: string; response: Record<string, unknown> }) => call(addPasskey, { body }),
    onSuccess: () => {
      goBack()
      onAdded?.()
    },
    onError,
    onSettled,
  })
  const renaming = useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) =>
      call(renamePasskey, { params: { passkeyId: id }, body: { name } }),
    onSuccess: goBack,
    onError,
    onSettled,
  })
  const removing = useMutation({
    mutationFn: ({ id }: Passkey) => call(removePasskey, { params: { passkeyId: id } }),
    onError,
    onSettled,
  })
  useEffect(() => {
    if (loadError) console.error('Failed to load passkeys:', loadError)
  }, [loadError])

  function begin(next: Step) {
    for (const each of [creating, adding, renaming, removing]) each.reset()
    go(next)
  }

  if (!passkeys && loadError) return <LoadError text={t('passkeys.loadFailed')} retry={() => void refetch()} />
  if (!passkeys) return <SkeletonRows />
  if (at.step === 'confirm')
    return (
      <ConfirmForm
        text={t('passkeys.confirmAdd')}
        action={t('passkeys.add')}
        isBusy={creating.isPending}
        error={creating.error}
        failed={creating.error instanceof PasskeyProblem ? creating.error.message : t('passkeys.failed')}
        onConfirm={creating.mutate}
        onCancel={goBack}
      />
    )
  if (at.step === 'name' || at.step === 'rename') {
    const { mutation, save, initial } =
      at.step === 'name'
        ? {
            mutation: adding,
            save: (name: string) => adding.mutate({ name, response: at.response }),
            initial: t('passkeys.defaultName'),
          }
        : {
            mutation: renaming,
            save: (name: string) => renaming.mutate({ id: at.passkey.id, name }),
            initial: at.passkey.name,
          }
    return (
      <PasskeyName
        initial={initial}
        isBusy={mutation.isPending}
        error={mutation.error}
        onSave={save}
        onCancel={goBack}
      />
    )
  }
  return (
    <>
      <Heading className="font-[600] text-ui">{t('passkeys.title')}</Heading>
      <p className="mt-1 text-pretty text-soft text-ui">{t('passkeys.text')}</p>
      {passkeys.length > 0 && (
        <ul className="mt-2" aria-label={t('passkeys.title')}>
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              onRename={() => begin({ step: 'rename', passkey })}
              onRemove={() => begin({ step: 'remove', passkey })}
            />
          ))}
        </ul>
      )}
      {removing.error && (
        <p role="alert" className="mt-2 text-danger text-meta">
          {failureText(t('passkeys.failed'), removing.error)}
        </p>
      )}
      {canUsePasskeys() ? (
        <Button variant="line" className="mt-3 pointer-coarse:h-11" onClick={() => begin({ step: 'confirm' })}>
          {t('passkeys.add')}
        </Button>
      ) : (
        <p className="mt-3 text-faint text-meta">{t('passkeys.unsupported')}</p>
      )}
      {at.step === 'remove' && (
        <ConfirmDialog
          title={t('passkeys.removeTitle')}
          action={t('passkeys.remove')}
          onConfirm={() => {
            removing.mutate(at.passkey)
            goBack()
          }}
          onClose={goBack}
        >
          {rich('passkeys.removeText', { name: <bdi>{at.passkey.name}</bdi> })}
        </ConfirmDialog>
      )}
    </>
  )
}

interface RowProps {
  passkey: Passkey
  onRename: () => void
  onRemove: () => void
}

function PasskeyRow({ passkey: { name, createdAt, lastUsedAt }, onRename, onRemove }: RowProps) {
  return (
    <li className="flex min-h-13 items-center gap-1 border-line border-b py-2 last:border-b-0">
      <div className="min-w-0 flex-1">
        <p className="truncate font-[550] text-ui" title={name}>
          <bdi>{name}</bdi>
        </p>
        <p className="truncate text-meta text-soft">
          {lastUsedAt
            ? t('passkeys.used', { date: shortDate(lastUsedAt) })
            : t('passkeys.added', { date: shortDate(createdAt) })}
        </p>
      </div>
      <Button className="pointer-coarse:h-11" aria-label={t('passkeys.renameLabel', { name })} onClick={onRename}>
        {t('passkeys.rename')}
      </Button>
      <Button className="-me-3 pointer-coarse:h-11" aria-label={t('passkeys.removeLabel', { name })} onClick={onRemove}>
        {t('passkeys.remove')}
      </Button>
    </li>
  )
}
