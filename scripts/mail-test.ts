// Sends one mail with the configured mail server, past the queue, and says in words what went wrong.
import { StartError } from '../server/config/start-error.ts'
import { newId } from '../server/db/ids.ts'
import { commandLine } from '../server/installation.ts'
import { isAddress, type MailContent } from '../server/mail/enqueue-mail.ts'
import { mailProblem, mailServer } from '../server/mail/mail-problem.ts'
import { openTransport } from '../server/mail/transport.ts'
import { runCommand } from './run-command.ts'

await runCommand({}, async ({ mail }, _flags, to = '') => {
  if (!isAddress(to)) throw new StartError(`Say where to send it: ${commandLine('mail-test', 'me@example.com')}`)
  if (!mail) throw new StartError('No mail server is configured. Set SMTP_URL, MAIL_FROM and PUBLIC_URL.')
  const { host, from, publicUrl } = mail
  console.log(`Sending a mail from ${from.address} to ${to} with ${mailServer(mail)} …`)
  const content: MailContent = {
    subject: 'Mail from Parley works',
    paragraphs: [`This is a test of the mail server that ${new URL(publicUrl).host} uses.`],
    action: { label: 'Open Parley', url: publicUrl },
    language: 'en',
    direction: 'ltr',
  }
  try {
    await openTransport(mail)({ id: newId(), to, content, sender: 'Parley' })
  } catch (error) {
    throw new StartError(mailProblem(error, mail))
  }
  console.log(
    `${host} accepted it. If it does not arrive, look in the spam folder, and check the SPF and DKIM records of ${from.address.split('@')[1]}.`,
  )
})
