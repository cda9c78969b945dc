import { sql, type Transaction } from 'kysely'
import type { Config } from '../config/config.ts'
import { newId } from '../db/ids.ts'
import type { DB } from '../db/schema.ts'

/** What a mail says, in its reader's language. Plain text: nothing in it is markup. */
export interface MailContent {
  /** One line. */
  subject: string
  paragraphs: string[]
  /** The button. With `codeFor`, the code for this purpose (`link-codes.ts`) is added to the URL when the mail is sent. */
  action?: { label: string; url: string; codeFor?: string }
  /** Below the line: why somebody gets this mail. */
  footer?: string
  /** A link after that. */
  footerLink?: { label: string; url: string }
  /** An id such as `de`. */
  language: string
  direction: 'ltr' | 'rtl'
  /** A URL that stops such mail with one POST (RFC 8058). */
  unsubscribeUrl?: string
}

/** What a mail is about, if it is written only when it is sent: what its reader may know then counts. */
export interface MailTemplate {
  template: string
}

/** As the queue has it: nodes of the version before do not know templates, and leave such mails to others. */
export type StoredMail = MailContent | MailTemplate

/** A mail with a link whose code is added when it is sent. */
export interface CodedMail extends MailTemplate {
  template: 'coded'
  mail: MailContent
}

interface Mail {
  id?: string
  to: string
  /** Whose mail it is; it is not sent once they are deactivated. Null for an address that belongs to nobody yet. */
  userId: string | null
  content: StoredMail
}

/** Waiting, of all nodes. Beyond it something floods, or the mail server has been away for long. */
const MAX_WAITING = 10_000

/** One address and nothing else: neither a list nor a header. */
const ADDRESS = /^[^\s@,;:<>()[\]"\\\p{Cc}]{1,64}@[^\s@,;:<>()[\]"\\\p{Cc}]{1,255}$/u

/**
 * Stores a mail that is sent once the transaction has committed. It waits in the database, so its content must be what its
 * reader may know whenever it arrives.
 * @returns whether it will be sent: false without SMTP_URL, for something that is no address, and while too many wait
 */
export async function enqueueMail(
  tx: Transaction<DB>,
  { mail: settings }: Pick<Config, 'mail'>,
  { id = newId(), to, userId, content }: Mail,
): Promise<boolean> {
  if (!settings || !ADDRESS.test(to)) return false
  const isCoded = 'action' in content && content.action?.codeFor !== undefined
  const stored = isCoded ? ({ template: 'coded', mail: content } satisfies CodedMail) : content
  const mail = sql`${id}::uuid, ${userId}::text, ${to}::text, ${JSON.stringify(stored)}::jsonb`
  const { numAffectedRows } = await sql`
    insert into mails (id, "userId", "to", content)
    select ${mail}
    where (select count(*) from (select from mails where "failedAt" is null limit ${MAX_WAITING}) as waiting) < ${MAX_WAITING}
  `.execute(tx)
  return numAffectedRows === 1n
}
