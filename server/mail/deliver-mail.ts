import { sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/database.ts'
import { readWorkspaceName } from '../db/workspace-name.ts'
import type { Logger } from '../process/logger.ts'
import { startPolling } from '../process/poll.ts'
import type { CodedMail, MailContent, MailTemplate, StoredMail } from './enqueue-mail.ts'
import type { LinkCode } from './link-codes.ts'
import { isRefusal, openTransport, SEND_TIMEOUT_MS } from './transport.ts'

/** How long a node's claim on a mail lasts before another one can take it. Longer than sending can take. */
const CLAIM_SECONDS = SEND_TIMEOUT_MS / 1000 + 30
/** Delay after the first failure; doubled each time. */
const RETRY_SECONDS = 30
const MAX_RETRY_SECONDS = 3_600
const GIVE_UP_HOURS = 24
const KEEP_FAILED_DAYS = 30
const MAX_ERROR_LENGTH = 500

interface Options {
  /** How often to check for mail. */
  pollMs: number
  config: Pick<Config, 'mail'>
  db: Db
  linkCode: LinkCode
  log: Logger
  registry: Registry
  /** Renders a mail from its template; undefined if it no longer needs to be sent. */
  prepare?: (mail: MailTemplate, userId: string | null) => Promise<MailContent | undefined>
}

/**
 * Sends queued mail, one at a time per node. A mail is claimed before it is sent and removed afterwards: if the node dies in
 * between, it is sent twice, under the same Message-ID, rather than never.
 */
export function startSendingMail({
  pollMs,
  config,
  db,
  linkCode,
  log,
  registry,
  prepare,
}: Options): () => Promise<void> {
  const { mail: settings } = config
  if (!settings) return async () => {}
  countMail(db, registry)
  const send = openTransport(settings)
  async function write(mail: StoredMail, userId: string | null): Promise<MailContent | undefined> {
    if (!('template' in mail)) return mail
    return mail.template === 'coded' ? withCode((mail as CodedMail).mail, linkCode) : prepare?.(mail, userId)
  }
  return startPolling({ intervalMs: pollMs, log, failure: 'could not process the mail queue' }, async () => {
    const mail = await claimMail(db)
    if (!mail) {
      await forgetFailedMail(db)
      return undefined
    }
    const { id, attempts } = mail
    // Only the holder of the claim may record the outcome.
    const isMine = { id, attempts }
    try {
      const content = await write(mail.content as unknown as StoredMail, mail.userId)
      if (content) await send({ id, to: mail.to, content, sender: await readWorkspaceName(db) })
    } catch (error) {
      const reason = (error as Error).message.slice(0, MAX_ERROR_LENGTH)
      const isLast = isRefusal(error) || mail.isOld
      const delay = Math.min(RETRY_SECONDS * 2 ** Math.min(attempts - 1, 20), MAX_RETRY_SECONDS)
      log.warn(
        { mail: id, attempts, reason },
        isLast ? 'could not send a mail; giving up' : 'could not send a mail; retrying',
      )
      await db
        .updateTable('mails')
        .set({
          error: reason,
          dueAt: sql<string>`clock_timestamp() + make_interval(secs => ${delay})`,
          ...(isLast && { failedAt: sql<string>`clock_timestamp()` }),
        })
        .where((it) => it.and(isMine))
        .execute()
      return 0
    }
    await db
      .deleteFrom('mails')
      .where((it) => it.and(isMine))
      .execute()
    return 0
  })
}

/** Adds the code of a link, which is derived when a mail is sent and never stored in the queue. */
function withCode(content: MailContent, linkCode: LinkCode): MailContent {
  const { action } = content
  if (!action?.codeFor) return content
  return { ...content, action: { ...action, url: action.url + linkCode(action.codeFor) } }
}

/** Claims the next mail for this node. Removes those of deactivated people unsent. */
async function claimMail(db: Db) {
  await sql`delete from mails using users
    where mails."userId" = users.id and users."deactivatedAt" is not null and mails."failedAt" is null`.execute(db)
  return db
    .updateTable('mails')
    .set({
      attempts: sql<number>`attempts + 1`,
      dueAt: sql<string>`clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS})`,
    })
    .where('id', '=', (it) =>
      it
        .selectFrom('mails')
        .select('id')
        .where('failedAt', 'is', null)
        .where('dueAt', '<=', sql<string>`clock_timestamp()`)
        .orderBy('dueAt')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning([
      'id',
      'to',
      'userId',
      'content',
      'attempts',
      sql<boolean>`"createdAt" < clock_timestamp() - make_interval(hours => ${GIVE_UP_HOURS})`.as('isOld'),
    ])
    .executeTakeFirst()
}

const forgetFailedMail = (db: Db) =>
  db
    .deleteFrom('mails')
    .where('failedAt', '<', sql<string>`clock_timestamp() - make_interval(days => ${KEEP_FAILED_DAYS})`)
    .execute()

function countMail(db: Db, registry: Registry) {
  new Gauge({
    name: 'parley_mails',
    help: 'Mails in the database, for all nodes: waiting to be sent, or failed for good.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const row = await db
        .selectFrom('mails')
        .select([
          sql<number>`count(*) filter (where "failedAt" is null)`.as('waiting'),
          sql<number>`count(*) filter (where "failedAt" is not null)`.as('failed'),
        ])
        .executeTakeFirst()
        .catch(() => undefined)
      if (!row) return
      this.set({ state: 'waiting' }, row.waiting)
      this.set({ state: 'failed' }, row.failed)
    },
  })
}
