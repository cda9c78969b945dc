import { useMutation, useQueryClient } from '@tanstack/react-query'
import { testPush } from '#contract/push'
import { ApiError, call } from '../../../api-client/api.ts'
import { explainFailure } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import { Button } from '../../../ui/input/button.tsx'
import { mendPush } from './push-device.ts'
import { PUSH_SETTINGS } from './push-queries.ts'
import { onWorkerMessage } from './worker-messages.ts'

/** How long a test takes to arrive at most. */
const ARRIVAL_TIMEOUT_MS = 10_000

type Result = { isFine: boolean; text: string }

/** Sends a notification to this device, and says what became of it. */
export function PushTest() {
  const me = useMe()
  const client = useQueryClient()
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: () => sendTest(me.id),
    onError: (failure) => console.error('Failed to send a test notification:', failure),
    onSettled: () => client.invalidateQueries({ queryKey: PUSH_SETTINGS }),
  })
  const result: Result | undefined = error
    ? { isFine: false, text: explainFailure(t('push.testNotSent'), error) }
    : data
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Button variant="line" className="pointer-coarse:h-11" isBusy={isPending} onClick={() => mutate()}>
        {t('push.test')}
      </Button>
      <p
        role="status"
        className={`min-w-64 flex-1 text-pretty text-ui ${result && !isPending && !result.isFine ? 'text-danger' : 'text-soft'}`}
      >
        {isPending ? t('push.testSending') : result?.text}
      </p>
    </div>
  )
}

async function sendTest(me: string): Promise<Result> {
  const arrivals = watchArrivals()
  try {
    const { id, outcome, status, detail } = await call(testPush, {})
    const why = [status, detail].filter((part) => part !== null && part !== '').join(' ')
    if (outcome === 'refused') return { isFine: false, text: t('push.testRefused', { why }) }
    if (outcome === 'failed') return { isFine: false, text: t('push.testFailed', { why }) }
    if (outcome === 'gone') return await renewed(me)
    const hasArrived = await arrivals.until(id)
    return { isFine: hasArrived, text: hasArrived ? t('push.testArrived') : t('push.testNotShown') }
  } catch (error) {
    // The server has dropped this device, or has another key since.
    if (error instanceof ApiError && (error.status === 404 || error.code === 'push_key_changed'))
      return await renewed(me)
    throw error
  } finally {
    arrivals.stop()
  }
}

async function renewed(me: string): Promise<Result> {
  await mendPush(me)
  return { isFine: false, text: t('push.testRenewed') }
}

/** Notes what the service worker shows. It may do so before the server has answered. */
function watchArrivals() {
  const shown = new Set<string>()
  let check = () => {}
  const stop = onWorkerMessage((message) => {
    if (message.kind === 'push: shown') shown.add(message.tag)
    check()
    return undefined
  })
  const until = (tag: string) =>
    new Promise<boolean>((resolve) => {
      check = () => shown.has(tag) && resolve(true)
      check()
      setTimeout(() => resolve(false), ARRIVAL_TIMEOUT_MS)
    })
  return { until, stop }
}
