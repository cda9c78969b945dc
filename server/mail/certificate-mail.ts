import type { MailContent } from './enqueue-mail.ts'
import { mailTexts } from './mail-texts.ts'

export interface CertificateProblem {
  names: string[]
  endsAt: Date
  /** Whether that is past. */
  isOver: boolean
  /** Why the last attempt to renew it failed; undefined if Parley doesn't renew the certificate itself. */
  reason: string | undefined
  /** The owner's language; null for English. */
  language: string | null
  /** What the workspace is called. */
  workspace: string
  /** The origin of Parley. */
  publicUrl: string
}

/** A mail to the owner: the certificate ends soon, or has ended, and there is no new one. */
export function certificateMail(problem: CertificateProblem): MailContent {
  const { names, endsAt, isOver, reason, workspace, publicUrl, ...owner } = problem
  const { language, direction, t } = mailTexts(owner.language)
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(endsAt)
  const name = names[0] ?? new URL(publicUrl).hostname
  return {
    subject: isOver ? t('mail.certificate.subjectOver', { name, date }) : t('mail.certificate.subject', { name, date }),
    paragraphs: [
      isOver ? t('mail.certificate.over', { workspace }) : t('mail.certificate.what', { workspace }),
      reason === undefined ? t('mail.certificate.files') : t('mail.certificate.renewal', { reason }),
    ],
    action: { label: t('mail.certificate.action'), url: `${publicUrl}/admin/health` },
    footer: t('mail.certificate.why', { workspace }),
    language,
    direction,
  }
}
