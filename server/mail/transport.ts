import { createTransport } from 'nodemailer'
import type { MailSettings } from '../config/mail-settings.ts'
import type { MailContent } from './enqueue-mail.ts'
import { oneLine, renderHtml, renderText } from './render-mail.ts'

const CONNECT_TIMEOUT_MS = 10_000
const SILENCE_TIMEOUT_MS = 20_000
/** For one mail as a whole: a server that says a little now and then is never silent. */
export const SEND_TIMEOUT_MS = 90_000

const isLoopback = (host: string) => ['localhost', '127.0.0.1', '::1'].includes(host)

interface QueuedMail {
  id: string
  to: string
  content: MailContent
}

/** Sends one mail over a connection of its own. @throws what nodemailer throws; see `isRefusal` */
export function openTransport(settings: MailSettings, timeoutMs = SEND_TIMEOUT_MS) {
  const { host, port, isSecure, auth, from } = settings
  const transport = createTransport({
    host,
    port,
    secure: isSecure,
    // A password is never sent in the clear over a network.
    requireTLS: auth !== undefined && !isLoopback(host),
    ...(auth && { auth }),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    // Content is text: a path or a URL in it is never opened.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return async ({ id, to, content }: QueuedMail) => {
    const { unsubscribeUrl } = content
    await transport.sendMail({
      from,
      to: { name: '', address: to },
      signal: AbortSignal.timeout(timeoutMs),
      subject: oneLine(content.subject),
      text: renderText(content),
      html: renderHtml(content),
      // The same at each attempt: mailboxes that know it show it once.
      messageId: `<${id}@${from.address.split('@')[1]}>`,
      headers: {
        // No answers of absent people.
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

/** Whether the server refused this recipient or this mail for good. A refused sender or password is for the operator to mend. */
export function isRefusal(error: unknown): boolean {
  const { responseCode = 0, command = '' } = error as { responseCode?: number; command?: string }
  return responseCode >= 500 && /^(RCPT TO|DATA)$/.test(command)
}
