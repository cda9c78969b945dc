import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { changePush, type PushDevice, type PushSettings } from '#contract/push'
import { call } from '../../../api-client/api.ts'
import { explainFailure } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import { LoadError } from '../../../ui/feedback/load-error.tsx'
import { Button } from '../../../ui/input/button.tsx'
import { Checkbox } from '../../../ui/input/checkbox.tsx'
import { SkeletonRows } from '../../../ui/list/skeleton-rows.tsx'
import { useNotificationState } from '../permission.ts'
import { turnOffPush, turnOnPush } from './push-device.ts'
import { PushDevices } from './push-devices.tsx'
import { readPushMemory, savePushMemory } from './push-memory.ts'
import { PUSH_SETTINGS, pushSettings } from './push-queries.ts'
import { pushSupport } from './push-support.ts'
import { PushTest } from './push-test.tsx'

/** Notifications on this device while Parley is closed, and the devices that have them. */
export function PushSection() {
  const state = useNotificationState()
  const { data, error, refetch } = useQuery(pushSettings(state))
  useEffect(() => {
    if (error) console.error('Failed to load the devices that are notified:', error)
  }, [error])
  const hasDevices = data && data.mode !== 'off' && data.devices.length > 0
  // Without notifications, the line above says why.
  const isImpossible = pushSupport() !== 'install' && state !== 'on' && state !== 'off'
  if (isImpossible && !hasDevices) return null
  return (
    <section aria-labelledby="push-title">
      <h4 id="push-title" className="mb-1 font-[550] text-ui">
        {t('push.title')}
      </h4>
      {!data && (error ? <LoadError text={t('ui.loadFailed')} retry={() => void refetch()} /> : <SkeletonRows />)}
      {data && !isImpossible && <PushChoice settings={data} here={state === 'on' ? data.here : undefined} />}
      {hasDevices && <PushDevices devices={data.devices} />}
    </section>
  )
}

interface Props {
  settings: PushSettings
  /** Undefined if this device is not notified. */
  here: PushDevice | undefined
}

function PushChoice({ settings, here }: Props) {
  const why = whyNot(settings.mode)
  if (why) return <p className="text-pretty text-soft text-ui">{why}</p>
  return (
    <>
      <PushSwitch settings={settings} isOn={here !== undefined} />
      {here && (
        <div className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-4">
          <TextsChoice here={here} isForbidden={settings.mode === 'without-text'} />
          <PushTest />
        </div>
      )}
    </>
  )
}

/** Why this device can't be notified; undefined if it can. */
function whyNot(mode: PushSettings['mode']): string | undefined {
  if (mode === 'off') return t('push.offHere')
  const support = pushSupport()
  if (support === 'supported') return undefined
  return support === 'install' ? t('push.install') : t('push.missing')
}

/** Turns it on and off. */
function PushSwitch({ settings: { publicKey, devices }, isOn }: { settings: PushSettings; isOn: boolean }) {
  const me = useMe()
  const client = useQueryClient()
  const [isDismissed, setDismissed] = useState(false)
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      if (isOn) return turnOffPush(me.id)
      // What they chose here before.
      const hidesText = devices.find(({ isCurrent }) => isCurrent)?.hidesText ?? readPushMemory(me.id)?.hidesText
      setDismissed(!(await turnOnPush(me.id, publicKey, hidesText)))
    },
    onError: (failure) => console.error('Failed to change notifications while Parley is closed:', failure),
    onSettled: () => client.invalidateQueries({ queryKey: PUSH_SETTINGS }),
  })
  return (
    <>
      <div className="flex items-start gap-4">
        <p role="status" className="min-w-0 flex-1 text-pretty text-soft text-ui">
          {isOn ? t('push.on') : t('push.off')}
        </p>
        <Button
          variant="line"
          className="flex-none pointer-coarse:h-11"
          isBusy={isPending}
          aria-label={isOn ? t('push.turnOff') : t('push.turnOn')}
          onClick={() => mutate()}
        >
          {isOn ? t('notifications.turnOff') : t('notifications.turnOn')}
        </Button>
      </div>
      {(error || (isDismissed && !isOn)) && (
        <p role="alert" className="mt-2 text-pretty text-danger text-ui">
          {error ? failureOf(error) : t('push.dismissed')}
        </p>
      )}
    </>
  )
}

/** The browser itself fails if it can't reach the push service of its vendor. */
const failureOf = (error: Error) =>
  error instanceof DOMException && error.name !== 'TimeoutError'
    ? t('push.browserFailed')
    : explainFailure(t('push.changeFailed'), error)

function TextsChoice({ here, isForbidden }: { here: PushDevice; isForbidden: boolean }) {
  const me = useMe()
  const client = useQueryClient()
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: (hidesText: boolean) => call(changePush, { body: { hidesText } }),
    onSuccess: (_, hidesText) => {
      const memory = readPushMemory(me.id)
      if (memory) savePushMemory(me.id, { ...memory, hidesText })
    },
    onError: (failure) => console.error('Failed to choose whether notifications contain texts:', failure),
    onSettled: () => client.invalidateQueries({ queryKey: PUSH_SETTINGS }),
  })
  const hidesText = isPending ? variables : here.hidesText
  return (
    <div>
      <Checkbox
        label={t('push.showTexts')}
        hint={isForbidden ? t('push.withoutText') : t('push.showTextsHint')}
        checked={!isForbidden && !hidesText}
        disabled={isForbidden}
        onChange={({ target }) => mutate(!target.checked)}
      />
      {error && (
        <p role="alert" className="mt-1 text-danger text-ui">
          {explainFailure(t('push.saveFailed'), error)}
        </p>
      )}
    </div>
  )
}
