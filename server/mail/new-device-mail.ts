import type { MailContent } from './enqueue-mail.ts'
import { mailTexts } from './mail-texts.ts'

interface SignIn {
  /** The person's language; null for English. */
  language: string | null
  username: string
  /** What the workspace is called. */
  workspace: string
  /** 'Firefox on Linux' */
  device: string
  address: string | undefined
  at: Date
  /** The origin of Parley. */
  publicUrl: string
}

/** A mail about the first sign-in of a device to an account. */
export function newDeviceMail({ device, username, workspace, address, at, publicUrl, ...signIn }: SignIn): MailContent {
  const { language, direction, t } = mailTexts(signIn.language)
  const moment = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  return {
    subject: t('mail.newDevice.subject', { workspace }),
    paragraphs: [
      t('mail.newDevice.what', { username }),
      [device, address, `${moment.format(at)} UTC`].filter(Boolean).join('\n'),
      t('mail.newDevice.advice'),
    ],
    action: { label: t('mail.newDevice.action', { workspace }), url: publicUrl },
    footer: t('mail.newDevice.why'),
    language,
    direction,
  }
}
