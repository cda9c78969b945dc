import type { FastifyInstance } from 'fastify'
import { changePush, getPush, type PushDelivery, subscribeToPush, testPush, unsubscribeFromPush } from '#contract/push'
import { newId } from '../../db/ids.ts'
import { conflict, invalidField, notFound } from '../../errors.ts'
import { createTurns } from '../../limits/turns.ts'
import { writeTestPush } from '../../notifications/write-push.ts'
import { recordTest } from '../../push/push-queue.ts'
import { pushTargetProblem } from '../../push/send-push.ts'
import { findSubscription, readDevices, saveSubscription } from '../../push/subscriptions.ts'
import { route } from '../../route.ts'

/** Tests being sent: each waits for a push service. */
const TURNS = { total: 16, perUser: 1 }
/** Shorter than the deadline of a request. */
const TEST_TIMEOUT_MS = 3_500
const TEST_TTL_SECONDS = 60

/** My browsers that receive notifications while Parley is closed. */
export default async function push(app: FastifyInstance) {
  const { config, db } = app
  const { publicKey } = app.push
  const turns = createTurns(TURNS)

  route(app, getPush, async ({ me, sessionId }) => ({
    mode: config.webPush,
    publicKey,
    devices: await readDevices(db, { userId: me, sessionId, publicKey }),
  }))

  route(app, subscribeToPush, async ({ body, me, sessionId }) => {
    const { endpoint, keys, hidesText } = body
    if (config.webPush === 'off') throw conflict('push_off', 'errors.pushOff')
    const problem = pushTargetProblem({ endpoint, ...keys }, config.outboundAllow)
    if (problem === 'endpoint') throw invalidField('endpoint', 'errors.notAPushEndpoint')
    if (problem) throw invalidField(`keys.${problem}`, 'errors.notAPushKey')
    // Such as a page that was open while the server got a new secret: it has to subscribe with the new key.
    if (body.publicKey.replace(/=+$/, '') !== publicKey) throw invalidField('publicKey', 'errors.otherPushKey')
    const its = { sessionId, userId: me, endpoint, ...keys, publicKey, hidesText }
    await db.transaction().execute((tx) => saveSubscription(tx, its))
    return undefined
  })

  route(app, changePush, async ({ body: { hidesText }, me, sessionId }) => {
    const { numUpdatedRows } = await db
      .updateTable('push_subscriptions')
      .set({ hidesText })
      .where('userId', '=', me)
      .where('sessionId', '=', sessionId)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw notFound('errors.noPushSubscription')
    return undefined
  })

  route(app, unsubscribeFromPush, async ({ me, sessionId }) => {
    await db.deleteFrom('push_subscriptions').where('userId', '=', me).where('sessionId', '=', sessionId).execute()
    return undefined
  })

  route(app, testPush, async ({ me, sessionId }): Promise<PushDelivery> => {
    if (config.webPush === 'off') throw conflict('push_off', 'errors.pushOff')
    return turns(me, () => sendTest(me, sessionId))
  })

  async function sendTest(me: string, sessionId: string): Promise<PushDelivery> {
    const subscription = await findSubscription(db, { userId: me, sessionId })
    if (!subscription) throw notFound('errors.noPushSubscription')
    if (subscription.publicKey !== publicKey) throw conflict('push_key_changed', 'errors.otherPushKey')
    const { language } = await db.selectFrom('users').select('language').where('id', '=', me).executeTakeFirstOrThrow()
    const id = newId()
    const { result, status, detail } = await app.push.send(
      subscription,
      JSON.stringify(writeTestPush(id, me, language)),
      {
        ttlSeconds: TEST_TTL_SECONDS,
        urgency: 'high',
        signal: AbortSignal.timeout(TEST_TIMEOUT_MS),
      },
    )
    return recordTest(db, subscription, { id, outcome: result, status, detail })
  }
}
