import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { atEnd } from '../support/cleanup.ts'
import { freePort } from '../support/free-port.ts'

interface Received {
  to: string
  from: string
  user: string | undefined
  isSecure: boolean
  /** The raw mail: headers, an empty line, the body. */
  raw: string
  /** A header's value, unfolded. */
  header: (name: string) => string | undefined
  /** The plain-text part, decoded. */
  text: string
}

/** The server rejects mail for this address. */
export const REFUSED = 'refused@example.com'

/** The first part of a multipart mail, decoded. */
function textOf(raw: string): string {
  const boundary = /boundary="([^"]+)"/.exec(raw)?.[1] ?? ''
  const [, part = ''] = raw.split(`--${boundary}\r\n`)
  const end = part.indexOf('\r\n\r\n')
  const [head, body] = [part.slice(0, end), part.slice(end + 4)]
  if (/base64/i.test(head)) return Buffer.from(body, 'base64').toString()
  if (!/quoted-printable/i.test(head)) return body
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

/** A real SMTP server on loopback; ended when the test file ends. */
export async function startMailServer(options: SMTPServerOptions = { disabledCommands: ['STARTTLS', 'AUTH'] }) {
  const received: Received[] = []
  const port = await freePort()
  /** Called when a mail has arrived, before the sender gets a response. */
  let beforeAnswer = async () => {}
  const create = () => {
    const server = new SMTPServer({
      ...options,
      disableReverseLookup: true,
      onRcptTo: ({ address }, _session, done) =>
        done(address === REFUSED ? Object.assign(new Error('No such mailbox'), { responseCode: 550 }) : null),
      onData(stream, session, done) {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', async () => {
          const raw = Buffer.concat(chunks).toString()
          const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ')
          const { mailFrom, rcptTo } = session.envelope
          received.push({
            to: rcptTo.map(({ address }) => address).join(),
            from: mailFrom ? mailFrom.address : '',
            user: session.user as string | undefined,
            isSecure: session.secure,
            raw,
            text: textOf(raw).replaceAll('\r\n', '\n'),
            header: (name) => new RegExp(`^${name}: (.*)$`, 'mi').exec(head)?.[1]?.trim(),
          })
          await beforeAnswer()
          done()
        })
      },
    })
    // A sender that dies resets its connection.
    server.on('error', () => {})
    return server
  }
  let server = create()
  const start = () => new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  const stop = () => new Promise<void>((done) => server.close(done))
  await start()
  atEnd(stop)
  return {
    received,
    url: (login = '') => `smtp://${login}127.0.0.1:${port}`,
    secureUrl: `smtps://127.0.0.1:${port}`,
    stop,
    /** Restarts at the same address. */
    start: async () => {
      server = create()
      await start()
    },
    hold: (wait: () => Promise<void>) => {
      beforeAnswer = wait
    },
  }
}
