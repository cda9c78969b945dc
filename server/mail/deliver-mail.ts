import { sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/database.ts'
import type { Logger } from '../process/logger.ts'
import { startPolling } from '../process/poll.ts'
import type { CodedMail, MailContent, MailTemplate, StoredMail } from './enqueue-mail.ts'
import type { LinkCode } from './link-codes.ts'
import { isRefusal, openTransport, SEND_TIMEOUT_MS } from './transport.ts'

/** A node that sends holds a mail this long; then another one takes it. Longer than sending can take. */
const CLAIM_SECONDS = SEND_TIMEOUT_MS / 1000 + 30
/** After the first failure; doubled each time. */
const RETRY_SECONDS = 30
const MAX_RETRY_SECONDS = 3_600
const GIVE_UP_HOURS = 72
const KEEP_FAILED_DAYS = 30
const MAX_ERROR_LENGTH = 500

interface Options {
  /** How often to look for mail. */
  pollMs: number
  config: Pick<Config, 'mail'>
  db: Db
  linkCode: LinkCode
  log: Logger
  registry: Registry
  /** Writes a mail from its template; undefined if it need not be sent any more. */
  prepare?: (mail: MailTemplate, userId: string | null) => Promise<MailContent | undefined>
}

/**
 * Sends the mail that waits, one at a time per node. A mail is claimed before it is sent and removed afterwards, so a node
 * that dies in between sends it a second time, under the same Message-ID, rather than never.
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
  return startPolling({ intervalMs: pollMs, log, failure: 'sending mail failed' }, async () => {
    const mail = await claimMail(db)
    if (!mail) {
      await forgetFailedMail(db)
      return undefined
    }
    const { id, attempts } = mail
    // Only who still holds the claim says how it ended.
    const isMine = { id, attempts }
    try {
      const content = await write(mail.content as unknown as StoredMail, mail.userId)
      if (content) await send({ id, to: mail.to, content })
    } catch (error) {
      const reason = (error as Error).message.slice(0, MAX_ERROR_LENGTH)
      const isLast = isRefusal(error) || mail.isOld
      const delay = Math.min(RETRY_SECONDS * 2 ** Math.min(attempts - 1, 20), MAX_RETRY_SECONDS)
      log.warn({ mail: id, attempts, reason }, isLast ? 'a mail was given up' : 'a mail could not be sent yet')
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

/** The queue stores no code that lets somebody in: it is made again when the mail is sent, the same each time. */
function withCode(content: MailContent, linkCode: LinkCode): MailContent {
  const { action } = content
  if (!action?.codeFor) return content
  return { ...content, action: { ...action, url: action.url + linkCode(action.codeFor) } }
}

/** The next mail, which no other node takes meanwhile. Those of deactivated people are removed unsent. */
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
    help: 'Mails in the database, of all nodes: those that wait to be sent, and those that were given up.',
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
