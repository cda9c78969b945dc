import type { MailSettings } from '../config/mail-settings.ts'

/** What nodemailer throws: the step that failed, the server's response, and the name of the network's error in the message. */
interface MailError {
  message: string
  code?: string
  command?: string
  response?: string
  responseCode?: number
}

type Target = Pick<MailSettings, 'host' | 'port' | 'isSecure' | 'from'>

const CERTIFICATE = /certificate|altnames|self.signed|unable to verify/i

/** Why a mail could not be sent, and what to do, for whoever configures the mail server. @param error what `openTransport` throws */
export function mailProblem(error: unknown, { host, port, isSecure, from }: Target): string {
  const { code = '', command = '', response: raw, responseCode = 0, message: rawMessage } = error as MailError
  const [message, response] = [printable(rawMessage), raw && printable(raw)]
  const said = response ? ` It said: ${response}` : ''
  const place = mailServer({ host, port })
  if (code === 'EDNS' || /ENOTFOUND|EAI_AGAIN/.test(message))
    return `${host} is not a known host name. Check SMTP_URL, and the DNS of this machine.`
  if (/ECONNREFUSED/.test(message)) return `Nothing listens on ${place}. Check the host and the port in SMTP_URL.`
  if (CERTIFICATE.test(message))
    return `The certificate of ${host} is not valid: ${message}. Use the host name in the certificate, or set NODE_EXTRA_CA_CERTS to the file of your certificate authority.`
  if (isSecure && /wrong version number|packet length too long/i.test(message))
    return `${place} does not begin with TLS. Use smtp:// in SMTP_URL, which upgrades with STARTTLS.`
  if (!isSecure && /Greeting never received/i.test(message))
    return `${place} accepts connections but does not greet. If the port expects TLS, use smtps:// in SMTP_URL.`
  if (command === 'STARTTLS' || code === 'ETLS')
    return `${host} does not offer STARTTLS, and Parley sends no password without it. Use smtps:// with port 465, or a port with STARTTLS.${said}`
  if (code === 'EAUTH')
    return `${host} refused the user name or the password in SMTP_URL. Write special characters as in URLs, such as %40 for @.${said}`
  if (responseCode === 530 && /starttls|tls/i.test(response ?? ''))
    return `${host} wants an encrypted connection. Use smtps:// with port 465 in SMTP_URL, or a port with STARTTLS.${said}`
  if (responseCode === 530 || /relay/i.test(response ?? ''))
    return `${host} takes this mail only from users it knows. Put a user name and a password in SMTP_URL, as in smtp://user:password@${host}.${said}`
  if (responseCode >= 400 && responseCode < 500)
    return `${host} can't take the mail at the moment; Parley would try again later.${said}`
  if (command === 'MAIL FROM')
    return `${host} refused the sender ${from.address}. Set MAIL_FROM to an address that it sends for.${said}`
  if (command === 'RCPT TO') return `${host} refused the recipient.${said}`
  if (code === 'ETIMEDOUT' || /timeout|aborted/i.test(message))
    return `${place} does not answer in time. A firewall may block the port; many providers block port 25.`
  return `${host} could not take the mail: ${message}.${response && !message.includes(response) ? said : ''}`
}

/** A host and port as in URLs. */
export const mailServer = ({ host, port }: Pick<Target, 'host' | 'port'>) =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`

/** Without control characters, which could move the cursor of a terminal. */
const printable = (text: string) => text.replaceAll(/\p{Cc}+/gu, ' ').trim()
