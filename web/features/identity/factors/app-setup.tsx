import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { turnOnTwoFactor } from '#contract/two-factor'
import { call } from '../../../api-client/api.ts'
import { failureText, fieldText } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { Button } from '../../../ui/input/button.tsx'
import { Field } from '../../../ui/input/field.tsx'
import { Lazy } from '../../../ui/lazy/lazy.tsx'

const qrCode = () => import('./qr-code.tsx')

interface Props {
  secret: string
  uri: string
  /** @param codes the recovery codes */
  onDone: (codes: string[]) => void
  onCancel: () => void
}

/** Shows the secret to an app, and asks for its first code. */
export function AppSetup({ secret, uri, onDone, onCancel }: Props) {
  const [code, setCode] = useState('')
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: () => call(turnOnTwoFactor, { body: { code } }),
    onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes),
    onError: (failure) => console.error('Failed to switch on the second factor:', failure),
  })
  const problem = fieldText(error, 'code')

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (code.trim() !== '' && !isPending) mutate()
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <p className="text-pretty text-soft text-ui">{t('twoFactor.scan')}</p>
      <div className="flex flex-wrap items-center gap-4">
        <Lazy load={qrCode} text={uri} label={t('twoFactor.qrCode')} waiting={<div className="size-40" />} />
        <div className="min-w-0 flex-1 basis-48">
          <p className="text-meta text-soft">{t('twoFactor.orType')}</p>
          <code dir="ltr" className="mt-1 block font-mono text-ui" id="two-factor-secret">
            {secret.match(/.{1,4}/g)?.join(' ')}
          </code>
        </div>
      </div>
      <Field
        label={t('twoFactor.firstCode')}
        name="code"
        dir="ltr"
        autoFocus
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={12}
        value={code}
        onChange={({ target }) => {
          setCode(target.value)
          reset()
        }}
        error={problem}
      />
      {error && !problem && (
        <p role="alert" className="text-danger text-meta">
          {failureText(t('twoFactor.failed'), error)}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>{t('ui.cancel')}</Button>
        <Button type="submit" variant="pine" disabled={code.trim() === ''} isBusy={isPending}>
          {t('twoFactor.turnOn')}
        </Button>
      </div>
    </form>
  )
}
