import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Passkey, removePasskey } from '#contract/passkeys'
import { call } from '../../../api-client/api.ts'
import { failureText } from '../../../api-client/failure-text.ts'
import { rich, t } from '../../../i18n/text.ts'
import ConfirmDialog from '../../../ui/dialog/confirm-dialog.tsx'
import { LoadError } from '../../../ui/feedback/load-error.tsx'
import { shortDate } from '../../../ui/format/short-date.ts'
import { Button } from '../../../ui/input/button.tsx'
import { SkeletonRows } from '../../../ui/list/skeleton-rows.tsx'
import { myPasskeys } from './factor-queries.ts'
import { canUsePasskeys } from './passkey-browser.ts'
import { CreatePasskey, NamePasskey, RenamePasskey, usePasskeyChange } from './passkey-steps.tsx'

type Step =
  | { step: 'list' | 'create' }
  | { step: 'name'; response: Record<string, unknown> }
  | { step: 'rename'; passkey: Passkey }

interface Props {
  heading?: 'h2' | 'h3' | 'h4'
  onAdded?: () => unknown
}

/** My passkeys: adds, renames and removes them. */
export function PasskeyList({ heading = 'h4', onAdded }: Props) {
  const { data: passkeys, error, refetch } = useQuery(myPasskeys)
  const [at, go] = useState<Step>({ step: 'list' })
  const goBack = () => go({ step: 'list' })
  useEffect(() => {
    if (error) console.error('Failed to load passkeys:', error)
  }, [error])

  function added() {
    goBack()
    onAdded?.()
  }

  if (!passkeys && error) return <LoadError text={t('passkeys.loadFailed')} retry={() => void refetch()} />
  if (!passkeys) return <SkeletonRows />
  switch (at.step) {
    case 'create':
      return <CreatePasskey onCreated={(response) => go({ step: 'name', response })} onCancel={goBack} />
    case 'name':
      return <NamePasskey response={at.response} onAdded={added} onCancel={goBack} />
    case 'rename':
      return <RenamePasskey passkey={at.passkey} onRenamed={goBack} onCancel={goBack} />
    case 'list':
      return (
        <Overview
          heading={heading}
          passkeys={passkeys}
          onAdd={() => go({ step: 'create' })}
          onRename={(passkey) => go({ step: 'rename', passkey })}
        />
      )
  }
}

interface OverviewProps {
  heading: 'h2' | 'h3' | 'h4'
  passkeys: Passkey[]
  onAdd: () => void
  onRename: (passkey: Passkey) => void
}

function Overview({ heading: Heading, passkeys, onAdd, onRename }: OverviewProps) {
  const [leaving, setLeaving] = useState<Passkey>()
  const { mutate, error, reset } = usePasskeyChange({
    change: ({ id }: Passkey) => call(removePasskey, { params: { passkeyId: id } }),
  })

  function askToRemove(passkey: Passkey) {
    reset()
    setLeaving(passkey)
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
              onRename={() => onRename(passkey)}
              onRemove={() => askToRemove(passkey)}
            />
          ))}
        </ul>
      )}
      {error && (
        <p role="alert" className="mt-2 text-danger text-meta">
          {failureText(t('passkeys.failed'), error)}
        </p>
      )}
      {canUsePasskeys() ? (
        <Button variant="line" className="mt-3 pointer-coarse:h-11" onClick={onAdd}>
          {t('passkeys.add')}
        </Button>
      ) : (
        <p className="mt-3 text-faint text-meta">{t('passkeys.unsupported')}</p>
      )}
      {leaving && (
        <ConfirmDialog
          title={t('passkeys.removeTitle')}
          action={t('passkeys.remove')}
          onConfirm={() => {
            mutate(leaving)
            setLeaving(undefined)
          }}
          onClose={() => setLeaving(undefined)}
        >
          {rich('passkeys.removeText', { name: <bdi>{leaving.name}</bdi> })}
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
