import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { renewRecoveryCodes, setUpTwoFactor, turnOffTwoFactor } from '#contract/two-factor'
import { call } from '../../../api-client/api.ts'
import { t } from '../../../i18n/text.ts'
import { LoadError } from '../../../ui/feedback/load-error.tsx'
import { Button } from '../../../ui/input/button.tsx'
import { SkeletonRows } from '../../../ui/list/skeleton-rows.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { myPassword } from '../identity-queries.ts'
import { AppSetup } from './app-setup.tsx'
import { ConfirmForm } from './confirm-form.tsx'
import { myTwoFactor } from './factor-queries.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

type Step =
  | { step: 'state' | 'setUp' | 'renew' | 'turnOff' }
  | { step: 'app'; secret: string; uri: string }
  | { step: 'codes'; codes: string[] }

interface Props {
  heading?: 'h2' | 'h3' | 'h4'
  onTurnedOn?: () => unknown
}

/**
 * Shows whether signing in requires codes of an app, and switches that on and off.
 * @param onTurnedOn called once the recovery codes were seen
 */
export function TwoFactorPanel({ heading = 'h4', onTurnedOn }: Props) {
  const password = useQuery(myPassword)
  const { data, error, refetch } = useQuery(myTwoFactor)
  const failure = error ?? password.error
  useEffect(() => {
    if (failure) console.error('Failed to load the second factor:', failure)
  }, [failure])
  if (failure && !(data && password.data)) {
    const retry = () => void Promise.all([refetch(), password.refetch()])
    return <LoadError text={t('twoFactor.loadFailed')} retry={retry} />
  }
  if (!data || !password.data) return <SkeletonRows />
  if (!password.data.isSet) return <p className="text-pretty text-soft text-ui">{t('twoFactor.byProvider')}</p>
  return <Steps {...data} heading={heading} onTurnedOn={onTurnedOn} />
}

interface StepsProps {
  isOn: boolean
  codesLeft: number
  heading: 'h2' | 'h3' | 'h4'
  onTurnedOn: (() => unknown) | undefined
}

function Steps({ isOn, codesLeft, heading, onTurnedOn }: StepsProps) {
  const client = useQueryClient()
  const [at, go] = useState<Step>({ step: 'state' })
  const goBack = () => go({ step: 'state' })
  const onSettled = () => client.invalidateQueries({ queryKey: myTwoFactor.queryKey })

  switch (at.step) {
    case 'setUp':
      return (
        <ConfirmStep
          text={t('twoFactor.confirmSetUp')}
          action={t('twoFactor.continue')}
          request={(password) => call(setUpTwoFactor, { body: { password } })}
          onSuccess={(app) => go({ step: 'app', ...app })}
          onCancel={goBack}
        />
      )
    case 'app':
      return (
        <AppSetup
          secret={at.secret}
          uri={at.uri}
          onDone={(codes) => {
            go({ step: 'codes', codes })
            void onSettled()
          }}
          onCancel={goBack}
        />
      )
    case 'codes':
      return (
        <RecoveryCodes
          codes={at.codes}
          onDone={() => {
            goBack()
            onTurnedOn?.()
          }}
        />
      )
    case 'renew':
      return (
        <ConfirmStep
          text={t('twoFactor.confirmRenew')}
          action={t('twoFactor.renew')}
          request={(password) => call(renewRecoveryCodes, { body: { password } })}
          onSuccess={({ recoveryCodes }) => go({ step: 'codes', codes: recoveryCodes })}
          onSettled={onSettled}
          onCancel={goBack}
        />
      )
    case 'turnOff':
      return (
        <ConfirmStep
          text={t('twoFactor.confirmOff')}
          action={t('twoFactor.turnOff')}
          isDanger
          request={(password) => call(turnOffTwoFactor, { body: { password } })}
          onSuccess={goBack}
          onSettled={onSettled}
          onCancel={goBack}
        />
      )
    case 'state':
      return <CurrentState isOn={isOn} codesLeft={codesLeft} heading={heading} onChange={(step) => go({ step })} />
  }
}

interface ConfirmStepProps<Reply> {
  text: string
  action: string
  isDanger?: boolean
  request: (password: string) => Promise<Reply>
  onSuccess: (reply: Reply) => void
  onSettled?: () => unknown
  onCancel: () => void
}

/** Changes the second factor with my password. */
function ConfirmStep<Reply>({ request, onSuccess, onSettled, ...form }: ConfirmStepProps<Reply>) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: request,
    onSuccess,
    onError: (failure) => console.error('Failed to change the second factor:', failure),
    onSettled: () => onSettled?.(),
  })
  return <ConfirmForm {...form} isBusy={isPending} error={error} failed={t('twoFactor.failed')} onConfirm={mutate} />
}

interface StateProps extends Pick<StepsProps, 'isOn' | 'codesLeft' | 'heading'> {
  onChange: (step: 'setUp' | 'renew' | 'turnOff') => void
}

function CurrentState({ isOn, codesLeft, heading: Heading, onChange }: StateProps) {
  return (
    <>
      <Heading className="flex items-center gap-2 font-[600] text-ui">
        {t('twoFactor.title')}
        <Tag>{t(isOn ? 'twoFactor.on' : 'twoFactor.off')}</Tag>
      </Heading>
      <p className="mt-1 text-pretty text-soft text-ui">
        {isOn ? t('twoFactor.codesLeft', { count: codesLeft }) : t('twoFactor.text')}
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        {isOn ? (
          <>
            <Button variant="line" className="pointer-coarse:h-11" onClick={() => onChange('renew')}>
              {t('twoFactor.renew')}
            </Button>
            <Button variant="line" className="pointer-coarse:h-11" onClick={() => onChange('turnOff')}>
              {t('twoFactor.turnOff')}
            </Button>
          </>
        ) : (
          <Button variant="pine" className="pointer-coarse:h-11" onClick={() => onChange('setUp')}>
            {t('twoFactor.setUp')}
          </Button>
        )}
      </div>
    </>
  )
}
