import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { REFUSED, startMailServer } from '../test/services/mail-server.ts'
import { atEnd } from '../test/support/cleanup.ts'
import { freePort } from '../test/support/free-port.ts'
import { mailProblem } from './mail-problem.ts'

// `npm run mail-test`, against real servers.

const PROGRAM = fileURLToPath(new URL('../../scripts/mail-test.ts', import.meta.url))
const FROM = { MAIL_FROM: 'Parley <chat@example.com>', PUBLIC_URL: 'https://chat.example.com' }

/** @returns the exit code, and everything printed */
async function run(settings: Record<string, string>, ...args: string[]) {
  const env = { PATH: process.env.PATH, ...settings }
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [PROGRAM, ...args], { env })
    return { code: 0, text: stdout + stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, text: stdout + stderr }
  }
}

it('a mail arrives, and the command says so', async () => {
  const smtp = await startMailServer()
  const { code, text } = await run({ SMTP_URL: smtp.url(), ...FROM }, 'ada@example.com')
  expect({ code, text }).toMatchObject({ code: 0, text: expect.stringContaining('accepted it') })
  expect(smtp.received.map(({ to, header }) => [to, header('Subject')])).toEqual([
    ['ada@example.com', 'Mail from Parley works'],
  ])
})

it('without a server, or without an address, it says what to set', async () => {
  expect(await run({}, 'ada@example.com')).toMatchObject({ code: 1, text: expect.stringContaining('Set SMTP_URL') })
  for (const address of [[], ['ada'], ['a@b.c\nBcc: eve@example.com']])
    expect(await run({ SMTP_URL: 'smtp://127.0.0.1', ...FROM }, ...address)).toMatchObject({
      code: 1,
      text: expect.stringContaining('npm run mail-test -- me@example.com'),
    })
})

it('a failure is explained in a sentence, without a stack and without the password', async () => {
  const noTls = { disabledCommands: ['STARTTLS'], allowInsecureAuth: true }
  const strict = await startMailServer({
    ...noTls,
    onAuth: (_auth, _session, done) => done(new Error('Wrong password')),
  })
  const sender = await startMailServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onMailFrom: (_address, _session, done) => done(Object.assign(new Error('Not your domain'), { responseCode: 553 })),
  })
  const plain = await startMailServer()
  const selfSigned = await startMailServer({ disabledCommands: ['AUTH'] })
  const cases: [url: string, to: string, says: RegExp][] = [
    [`smtp://127.0.0.1:${await freePort()}`, 'ada@example.com', /Nothing listens on 127\.0\.0\.1:/],
    ['smtp://mail.invalid', 'ada@example.com', /mail\.invalid is not a known host name/],
    [strict.url('parley:hunter2@'), 'ada@example.com', /refused the user name or the password.*Wrong password/],
    [sender.url(), 'ada@example.com', /refused the sender chat@example\.com.*Not your domain/],
    [plain.url(), REFUSED, /refused the recipient.*No such mailbox/],
    [plain.secureUrl, 'ada@example.com', /does not begin with TLS\. Use smtp:\/\//],
    [selfSigned.url(), 'ada@example.com', /certificate of 127\.0\.0\.1 is not valid/],
  ]
  for (const [SMTP_URL, to, says] of cases) {
    const { code, text } = await run({ SMTP_URL, ...FROM }, to)
    expect({ SMTP_URL, code, text }).toMatchObject({ SMTP_URL, code: 1, text: expect.stringMatching(says) })
    expect(text).not.toMatch(/hunter2|\n\s+at /)
  }
})

it.each([
  [
    'a server without STARTTLS',
    { code: 'ETLS', command: 'STARTTLS', message: 'x', response: '502 no' },
    /offer STARTTLS.*502 no/,
  ],
  ['silence', { code: 'ETIMEDOUT', message: 'Connection timeout' }, /does not answer in time/],
  ['silence instead of a greeting', { code: 'ETIMEDOUT', message: 'Greeting never received' }, /use smtps:/],
  ['something else', { message: 'odd', response: '451 later' }, /could not take the mail: odd\. It said: 451 later/],
])('%s is explained', (_name, error, says) => {
  const target = { host: 'mail.example.com', port: 587, isSecure: false, from: { name: 'Parley', address: 'a@b.c' } }
  expect(mailProblem(error, target)).toMatch(says)
})

/** A server that answers each line as given, by how it starts. @returns its address */
async function startScripted(answers: Record<string, string>) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.write('220 hi\r\n')
    socket.on('data', (data) => {
      const lines = String(data).split('\r\n').filter(Boolean)
      for (const line of lines) {
        const [, answer] = Object.entries(answers).find(([start]) => line.toUpperCase().startsWith(start)) ?? []
        socket.write(`${answer ?? '250 ok'}\r\n`)
      }
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  atEnd(() => void server.close())
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

it.each([
  ['MAIL FROM', '530 5.7.0 Authentication required', /user name and a password/],
  ['MAIL FROM', '530 5.7.0 Must issue a STARTTLS command first', /Use smtps:\/\//],
  ['RCPT TO', '554 5.7.1 <ada@example.com>: Relay access denied', /user name and a password/],
  ['RCPT TO', '450 4.2.0 Greylisted, try again in 5 minutes', /try again later/],
  ['MAIL FROM', '550 \u001b[2Jnot you', /refused the sender/],
])('a server that answers %s with %s is explained', async (start, answer, says) => {
  const { code, text } = await run(
    { SMTP_URL: `smtp://${await startScripted({ [start]: answer })}`, ...FROM },
    'ada@example.com',
  )
  expect({ code, text }).toMatchObject({ code: 1, text: expect.stringMatching(says) })
  expect(text).not.toContain('\u001b')
})

it.each([
  'smtp://u:hunter2%@mail.example.com',
  'smtp://u:2#hunter2@mail.example.com',
  'smtp://u:hunter2%ff@mail.example.com',
])('a password that is not written as in URLs is refused: %s', async (SMTP_URL) => {
  const { code, text } = await run({ SMTP_URL, ...FROM }, 'ada@example.com')
  expect({ code, text }).toMatchObject({ code: 1, text: expect.stringContaining('%23 for #') })
  expect(text).not.toMatch(/hunter2|\n\s+at /)
})
