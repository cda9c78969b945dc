import { createTransport } from 'nodemailer'
import type { MailSettings } from '../config/mail-settings.ts'
import type { MailContent } from './enqueue-mail.ts'
import { oneLine, renderHtml, renderText } from './render-mail.ts'

const CONNECT_TIMEOUT_MS = 10_000
const SILENCE_TIMEOUT_MS = 20_000
/** Per mail: a server that trickles its responses never triggers the timeout for silence. */
export const SEND_TIMEOUT_MS = 90_000

const isLoopback = (host: string) => ['localhost', '127.0.0.1', '::1'].includes(host)

interface QueuedMail {
  id: string
  to: string
  content: MailContent
  /** The sender's name, if the settings have none. */
  sender: string
}

/**
 * A text that is shown as it is. nodemailer passes on what looks encoded already (`=?utf-8?Q?…?=`); with an invisible character
 * in it, it is encoded.
 */
const headerText = (text: string) => oneLine(text).replaceAll('=?', '=\u2060?')

/** Connects and signs in, without sending anything. @throws errors of nodemailer; see `mailProblem` */
export async function tryMailServer(settings: MailSettings) {
  const transport = connectionOf(settings)
  await transport.verify()
  transport.close()
}

const connectionOf = ({ host, port, isSecure, auth }: MailSettings) =>
  createTransport({
    host,
    port,
    secure: isSecure,
    // A password is never sent unencrypted over a network.
    requireTLS: auth !== undefined && !isLoopback(host),
    ...(auth && { auth }),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    // Content is text: never open a path or URL in it.
    disableFileAccess: true,
    disableUrlAccess: true,
  })

/** Sends each mail over a separate connection. @throws errors of nodemailer; see `isRefusal` */
export function openTransport(settings: MailSettings, timeoutMs = SEND_TIMEOUT_MS) {
  const { from } = settings
  const transport = connectionOf(settings)
  return async ({ id, to, content, sender }: QueuedMail) => {
    const { unsubscribeUrl } = content
    await transport.sendMail({
      from: { name: headerText(from.name || sender), address: from.address },
      to: { name: '', address: to },
      signal: AbortSignal.timeout(timeoutMs),
      subject: headerText(content.subject),
      text: renderText(content),
      html: renderHtml(content),
      // The same at each attempt, so that mailboxes can drop duplicates.
      messageId: `<${id}@${from.address.split('@')[1]}>`,
      headers: {
        // Suppresses out-of-office replies.
        'Auto-Submitted': 'auto-generated',
        'X-Auto-Response-Suppress': 'All',
        ...(unsubscribeUrl && {
          'List-Unsubscribe': `<${oneLine(unsubscribeUrl)}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        }),
      },
    })
  }
}

/** Whether the server permanently rejected this recipient or mail. A rejected sender or password is for the operator to fix. */
export function isRefusal(error: unknown): boolean {
  const { responseCode = 0, command = '' } = error as { responseCode?: number; command?: string }
  return responseCode >= 500 && /^(RCPT TO|DATA)$/.test(command)
}
