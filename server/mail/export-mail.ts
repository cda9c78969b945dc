import type { MailContent } from './enqueue-mail.ts'
import { mailTexts } from './mail-texts.ts'

interface FinishedExport {
  /** Whether there is an archive; otherwise all attempts failed. */
  isDone: boolean
  isWorkspace: boolean
  expiresAt: Date
  /** The person's language; null for English. */
  language: string | null
  /** What the workspace is called. */
  workspace: string
  /** The origin of Parley. */
  publicUrl: string
}

/** A mail to whoever asked for an export. It contains no link that works without signing in. */
export function exportMail({ isDone, isWorkspace, expiresAt, workspace, publicUrl, ...person }: FinishedExport) {
  const { language, direction, t } = mailTexts(person.language)
  const moment = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  const until = `${moment.format(expiresAt)} UTC`
  const action = isWorkspace
    ? { label: t('mail.export.action'), url: `${publicUrl}/admin/export` }
    : { label: t('mail.export.open', { workspace }), url: publicUrl }
  return {
    subject: isDone ? t('mail.export.subject', { workspace }) : t('mail.export.subjectFailed', { workspace }),
    paragraphs: [
      isDone ? t('mail.export.done', { until }) : t('mail.export.failed'),
      ...(isDone && !isWorkspace ? [t('mail.export.where')] : []),
      t('mail.export.advice'),
    ],
    action,
    footer: t('mail.export.why'),
    language,
    direction,
  } satisfies MailContent
}
