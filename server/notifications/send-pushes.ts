import type { PushContent } from '#contract/push'
import { readWorkspaceName } from '../db/workspace-name.ts'
import { createTurns } from '../limits/turns.ts'
import { readNotificationCount } from '../messages/notification-count.ts'
import { startPolling } from '../process/poll.ts'
import {
  type Claim,
  claimDevices,
  type FinishedPush,
  finishPushes,
  noteFailure,
  putOff,
  releaseDevice,
  removeSubscription,
} from '../push/push-queue.ts'
import type { PushOutcome } from '../push/send-push.ts'
import type { Services } from '../services.ts'
import { decidePush, type PushDecision, type PushFacts, readOutdated, readPushes, ruleNow } from './read-push.ts'
import { writePush } from './write-push.ts'

type Sending = Pick<Services, 'bounds' | 'config' | 'db' | 'log' | 'presence' | 'push'>

const CLAIM_BATCH = 64
/** Notifications that a device gets in one turn. */
const DEVICE_BATCH = 20
/**
 * Devices that notifications are being sent to. A person with slow ones holds up nobody else, and neither do those that failed
 * before.
 */
const TURNS = { total: 128, perUser: 4, maxWaitMs: 60_000 }
const TURNS_OF_FAILING = { ...TURNS, total: 32 }
/** Claimed devices. Beyond it, no more are claimed. */
const MAX_DEVICES = 256
const SEND_TIMEOUT_MS = 10_000
/** How long a device may hold its turn; the rest of its notifications takes another one. */
const TURN_MS = 30_000
const TTL_SECONDS = 24 * 3600

/** Sends queued notifications to devices, in the order of each device's. Returns a function that stops it. */
export function startSending(services: Sending) {
  const stops = [startServing(services, false), startServing(services, true)]
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}

/** @param isFailing serves the devices whose last delivery failed, or the others */
function startServing(services: Sending, isFailing: boolean) {
  const { bounds, db, log } = services
  const turns = createTurns(isFailing ? TURNS_OF_FAILING : TURNS)
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()

  /** Sends what is due for a device when it is its person's turn. */
  async function serve(claim: Claim) {
    try {
      await turns(claim.userId, () => sendToDevice(services, claim, stopping.signal))
    } catch (error) {
      if (!stopping.signal.aborted) log.warn({ err: error }, 'could not process the notifications of a device')
    }
    await releaseDevice(db, claim).catch(() => {})
  }

  async function claimDue() {
    const room = Math.min(CLAIM_BATCH, MAX_DEVICES - running.size)
    if (room <= 0) return undefined
    const claims = await claimDevices(db, room, isFailing)
    for (const claim of claims) {
      const work = serve(claim).finally(() => running.delete(work))
      running.add(work)
    }
    return claims.length === room ? 0 : undefined
  }

  const failure = 'could not look for notifications to deliver'
  const stopPolling = startPolling(
    { intervalMs: bounds.pushPollMs, firstDelayMs: bounds.pushStartMs, log, failure },
    claimDue,
  )
  return async () => {
    stopping.abort()
    await stopPolling()
    await Promise.all(running)
  }
}

/** Sends what is due for a device, one notification after the other. */
async function sendToDevice(services: Sending, claim: Claim, stopping: AbortSignal) {
  const endsAt = performance.now() + TURN_MS
  for (let count = 0; count < DEVICE_BATCH && performance.now() < endsAt && !stopping.aborted; count++) {
    const its = await nextToSend(services, claim)
    if (!its) return
    const sent = await trySending(services, claim, its, stopping)
    if (!(await noteSent(services, claim, its, sent))) return
  }
}

/**
 * The next notification to send, as everything is now, because access, the session and the settings may have changed while the one
 * before was sent. Records those before it that are not sent.
 */
async function nextToSend({ db, presence }: Sending, claim: Claim): Promise<PushFacts | undefined> {
  const due = await readPushes(db, claim, DEVICE_BATCH)
  const decided = due.map((its) => ({ its, decision: decidePush(its, presence.isActive(its.userId)) }))
  const next = decided.findIndex(({ decision }) => decision === 'send')
  const before = next < 0 ? decided : decided.slice(0, next)
  const idsOf = (what: PushDecision) => before.filter(({ decision }) => decision === what).map(({ its }) => its.id)
  await putOff(db, claim, idsOf('wait'))
  const dropped = before.flatMap(({ its, decision }) =>
    decision === 'wait' || decision === 'send' ? [] : [unsent(its.id, decision)],
  )
  await finishPushes(db, claim, dropped)
  return decided[next]?.its
}

/** Records how a notification ended. Returns whether further ones may be sent. */
async function noteSent(services: Sending, claim: Claim, its: PushFacts, sent: PushOutcome): Promise<boolean> {
  const { db, log } = services
  const { result, status, detail } = sent
  if (result === 'gone') {
    // The browser subscribes again when Parley is opened there.
    await removeSubscription(db, claim, its.endpoint)
    log.info({ subscription: claim.subscriptionId, status }, 'a push subscription has ended')
  } else if (result === 'failed') await noteFailure(db, claim, { pushId: its.id, ...sent })
  else await finishPushes(db, claim, [{ id: its.id, outcome: result, status, detail, isSent: true }])
  return result === 'delivered' || result === 'refused'
}

const unsent = (id: string, outcome: FinishedPush['outcome']): FinishedPush => ({
  id,
  outcome,
  status: null,
  detail: null,
  isSent: false,
})

/** A notification that can't even be written must not hold up those after it. */
async function trySending(
  services: Sending,
  claim: Claim,
  its: PushFacts,
  stopping: AbortSignal,
): Promise<PushOutcome> {
  try {
    return await sendOne(services, claim, its, stopping)
  } catch (error) {
    if (stopping.aborted) throw error
    services.log.error({ err: error }, 'a notification could not be sent')
    return { result: 'refused', status: null, detail: null, retryAfterSeconds: null }
  }
}

async function sendOne({ config, db, log, push }: Sending, claim: Claim, its: PushFacts, stopping: AbortSignal) {
  const hidesText = its.hidesText || config.webPush === 'without-text'
  const rule = ruleNow(its)
  const [closes, badge] = await Promise.all([readOutdated(db, claim), readNotificationCount(db, its.userId)])
  const shown = writePush({ ...its, rule }, hidesText ? await readWorkspaceName(db) : undefined)
  const content: PushContent = { ...shown, ...(closes.length > 0 && { closes }), badge }
  const isUrgent = rule === null || rule === 'direct' || rule === 'mention'
  const sent = await push.send(its, JSON.stringify(content), {
    ttlSeconds: TTL_SECONDS,
    urgency: isUrgent ? 'high' : 'normal',
    signal: AbortSignal.any([stopping, AbortSignal.timeout(SEND_TIMEOUT_MS)]),
  })
  if (sent.result !== 'delivered') {
    const { status, detail: reason, result } = sent
    log.info({ service: new URL(its.endpoint).host, status, reason, result }, 'a notification was not delivered')
  }
  return sent
}
