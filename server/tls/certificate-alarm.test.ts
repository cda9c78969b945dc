import { expect, test } from 'vitest'
import { startMailServer } from '../test/services/mail-server.ts'
import { startParley } from '../test/support/parley.ts'
import { startCertificateAlarm } from './certificate-alarm.ts'

const DAY_MS = 24 * 3_600_000

test('the owner is told once that the certificate ends, and once that it has ended; nobody is no owner', async () => {
  const server = await startMailServer()
  const mail = { SMTP_URL: server.url(), MAIL_FROM: 'chat@example.com', PUBLIC_URL: 'https://chat.example.com' }
  const lines: string[] = []
  const parley = await startParley({ ...mail, LOG_LEVEL: 'warn' }, { write: (line) => void lines.push(line) })
  const subjects = () =>
    server.received.map((it) => it.header('subject') ?? '').filter((it) => it.startsWith('The certificate'))

  const [soon, over] = [new Date(Date.now() + DAY_MS), new Date(Date.now() - DAY_MS)]
  /** Starts it, as a node does, until it has looked once. */
  async function look(endsAt: Date) {
    const count = lines.length
    const current = () => ({ cert: '', key: '', names: ['chat.example.com'], startsAt: new Date(0), endsAt })
    const stop = startCertificateAlarm(parley.app, { isAutomatic: false, current, lastFailure: async () => undefined })
    await expect.poll(() => lines.length).toBeGreaterThan(count)
    await stop()
  }

  await look(soon)
  expect(lines.at(-1)).toContain('the certificate ends soon')
  await parley.person('ada')
  await look(soon)
  await look(soon)
  await expect.poll(subjects).toHaveLength(1)
  await look(over)
  expect(lines.at(-1)).toContain('the certificate has ended')
  await expect.poll(subjects).toEqual([expect.stringContaining('ends on'), expect.stringContaining('ended on')])
})
