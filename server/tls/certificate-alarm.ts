import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readWorkspaceName } from '../db/workspace-name.ts'
import { type CertificateProblem, certificateMail } from '../mail/certificate-mail.ts'
import { enqueueMail } from '../mail/enqueue-mail.ts'
import { startPolling } from '../process/poll.ts'
import type { Services } from '../services.ts'
import { type Certificate, writeSecretFile } from './certificate.ts'
import { alarmsAt } from './renewal-rules.ts'

interface Options {
  /** Whether Parley renews it. */
  isAutomatic: boolean
  current: () => Certificate | undefined
  lastFailure: () => Promise<{ error: string } | undefined>
}

const POLL_INTERVAL_MS = 3_600_000
const MIN_POLL_INTERVAL_MS = 1000
const GRACE_MS = 10 * 60_000
const GRACE_POLL_MS = 2000
/** People are told again after this time. */
const REMINDER_MS = 3 * 24 * 3_600_000

/** Tells the log and the owner that the certificate ends soon and was not renewed. */
export function startCertificateAlarm(
  services: Pick<Services, 'config' | 'db' | 'log'>,
  { isAutomatic, current, lastFailure }: Options,
) {
  const { config, db, log } = services
  const { dataDir, mail } = config
  const startedAt = performance.now()
  /** Written when the owner was told, so that restarts don't tell them again. */
  const notePath = join(dataDir, 'tls', 'owner-told')

  const failure = 'could not tell the owner that the certificate ends soon'

  async function check() {
    const certificate = current()
    if (!certificate) return undefined
    const waitMs = alarmsAt(certificate) - Date.now()
    if (waitMs > 0) return Math.min(Math.max(waitMs, MIN_POLL_INTERVAL_MS), POLL_INTERVAL_MS)
    const { names, endsAt } = certificate
    const reason = (await lastFailure())?.error
    // After a long pause, the first attempt to renew it may still be running.
    if (isAutomatic && reason === undefined && performance.now() - startedAt < GRACE_MS) return GRACE_POLL_MS
    const isOver = endsAt.getTime() <= Date.now()
    log.warn(
      { names, endsAt, reason },
      `the certificate ${isOver ? 'has ended' : 'ends soon'}, and there is no new one`,
    )
    const note = JSON.stringify({ endsAt, isOver })
    if (!mail || (await wasTold(note))) return undefined
    // First, so that a full disk can't lead to a mail every hour.
    await writeSecretFile(notePath, note)
    const count = await mailOwner({ names, endsAt, isOver, reason }).catch((error) => {
      log.warn({ err: error }, failure)
      return 0
    })
    if (count === 0) await rm(notePath, { force: true })
    return undefined
  }

  async function wasTold(note: string) {
    const [text, told] = await Promise.all([readFile(notePath, 'utf8'), stat(notePath)]).catch(() => [])
    const age = told && Date.now() - told.mtimeMs
    // In the future, if the clock was set back.
    return text === note && age !== undefined && age >= 0 && age < REMINDER_MS
  }

  /** @returns how many were queued */
  async function mailOwner(problem: Pick<CertificateProblem, 'names' | 'endsAt' | 'isOver' | 'reason'>) {
    const owners = await db
      .selectFrom('users')
      .select(['id', 'email', 'language'])
      .where('role', '=', 'owner')
      .where('deactivatedAt', 'is', null)
      .execute()
    const workspace = await readWorkspaceName(db)
    const publicUrl = mail?.publicUrl ?? ''
    return db.transaction().execute(async (tx) => {
      let count = 0
      for (const { id, email, language } of owners) {
        const content = certificateMail({ ...problem, language, workspace, publicUrl })
        if (email && (await enqueueMail(tx, config, { to: email, userId: id, content }))) count++
      }
      return count
    })
  }

  return startPolling({ intervalMs: POLL_INTERVAL_MS, firstDelayMs: 1000, log, failure }, check)
}
