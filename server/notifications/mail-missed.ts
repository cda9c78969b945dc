import type { Registry } from 'prom-client'
import { startSendingMail } from '../mail/deliver-mail.ts'
import { enqueueMail } from '../mail/enqueue-mail.ts'
import { startPolling } from '../process/poll.ts'
import type { Services } from '../services.ts'
import { claimMissed } from './find-missed.ts'
import { createMissedMail, type MissedTemplate } from './missed-mail.ts'
import { claimDigest } from './rules.ts'

type Looking = Pick<Services, 'config' | 'db' | 'presence'>

/**
 * Enqueues mails about messages missed for this long, and due digests, on one of several nodes.
 * @returns whether that was all
 */
export async function lookForMissed({ config, db, presence }: Looking, afterMs: number): Promise<boolean> {
  const active = presence.active()
  // People who have returned may get mail about the same conversations later.
  if (active.length > 0) await db.deleteFrom('missed_mails').where('userId', 'in', active).execute()
  const isComplete = await db.transaction().execute(async (tx) => {
    const { missed, isComplete } = await claimMissed(tx, { afterMs, active })
    for (const { userId, email, ...which } of missed) {
      const content: MissedTemplate = { template: 'missed', ...which }
      await enqueueMail(tx, config, { to: email, userId, content })
    }
    return isComplete
  })
  const hasDigest = await db.transaction().execute(async (tx) => {
    const due = await claimDigest(tx)
    if (!due) return false
    const person = tx.selectFrom('users').select('email').where('id', '=', due.userId)
    const { email } = await person.executeTakeFirstOrThrow()
    await enqueueMail(tx, config, { to: email, userId: due.userId, content: { template: 'digest' } })
    return true
  })
  return isComplete && !hasDigest
}

/** Sends mail, and enqueues mail about missed messages. Returns a function that stops both. */
export function startMailing(services: Services, registry: Registry) {
  const { bounds, config, db, linkCode, log, presence } = services
  const { mail } = config
  if (!mail) return async () => {}
  const prepare = createMissedMail({ db, linkCode, publicUrl: mail.publicUrl, isActive: presence.isActive })
  const stopSending = startSendingMail({ pollMs: bounds.mailPollMs, config, db, linkCode, log, registry, prepare })
  const { afterMs, pollMs } = bounds.missedMail
  const stopLooking = startPolling(
    { intervalMs: pollMs, log, failure: 'mail about missed messages failed' },
    async () => ((await lookForMissed(services, afterMs)) ? undefined : 0),
  )
  return async () => {
    await Promise.all([stopSending(), stopLooking()])
  }
}
