import { sql, type Transaction } from 'kysely'
import type { Config } from '../config/config.ts'
import { newId } from '../db/ids.ts'
import type { DB } from '../db/schema.ts'

/** The content of a mail, in its reader's language, as plain text without markup. */
export interface MailContent {
  /** One line. */
  subject: string
  paragraphs: string[]
  /** The button. With `codeFor`, the code for this purpose (`link-codes.ts`) is added to the URL when the mail is sent. */
  action?: { label: string; url: string; codeFor?: string }
  /** Below the line: why the reader gets this mail. */
  footer?: string
  /** A link after that. */
  footerLink?: { label: string; url: string }
  /** A code such as `de`. */
  language: string
  direction: 'ltr' | 'rtl'
  /** A URL that stops such mail with one POST (RFC 8058). */
  unsubscribeUrl?: string
}

/** The subject matter of a mail that is rendered only when it is sent, with what its reader may know by then. */
export interface MailTemplate {
  template: string
}

/** A mail in the queue. Nodes of the previous version don't know templates, and leave such mails to others. */
export type StoredMail = MailContent | MailTemplate

/** A mail with a link whose code is added when it is sent. */
export interface CodedMail extends MailTemplate {
  template: 'coded'
  mail: MailContent
}

interface Mail {
  id?: string
  to: string
  /** The recipient; nothing is sent once they are deactivated. Null for an address that belongs to nobody yet. */
  userId: string | null
  content: StoredMail
}

/** Queued mails, for all nodes. Beyond it, something floods the queue, or the mail server has been down for long. */
const MAX_WAITING = 10_000

/** A single address, so that nobody can inject a list or a header. */
const ADDRESS = /^[^\s@,;:<>()[\]"\\\p{Cc}]{1,64}@[^\s@,;:<>()[\]"\\\p{Cc}]{1,255}$/u

export const isAddress = (text: string) => ADDRESS.test(text)

/**
 * Queues a mail, which is sent after the commit. Delivery may be delayed, so the content must be something that the reader may
 * know whenever it arrives.
 * @returns whether it will be sent: false without SMTP_URL, for an invalid address, and while the queue is full
 */
export async function enqueueMail(
  tx: Transaction<DB>,
  { mail: settings }: Pick<Config, 'mail'>,
  { id = newId(), to, userId, content }: Mail,
): Promise<boolean> {
  if (!settings || !isAddress(to)) return false
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
