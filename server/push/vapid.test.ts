import { expect, test, vi } from 'vitest'
import { readConfig } from '../config/config.ts'
import { createPushKeys } from './push-keys.ts'
import { createVapid, pushContact } from './vapid.ts'

const MAIL = { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'Parley <chat@acme.example.com>' }
const contact = (settings: Record<string, string>) => pushContact(readConfig(settings))

test.each([
  ['https://chat.acme.com', 'https://chat.acme.com'],
  ['https://chat.acme.com:8443', 'https://chat.acme.com:8443'],
  ['http://chat.acme.com', undefined],
  ['https://localhost:3000', undefined],
  ['https://chat.localhost', undefined],
  ['https://chat.LOCAL', undefined],
  ['https://chat.corp.internal', undefined],
  ['https://192.168.1.5', undefined],
  ['https://[2606:4700::1111]', undefined],
  ['https://chat', undefined],
])('the contact of %s is an address that Apple accepts', (PUBLIC_URL, expected) => {
  expect(contact({ PUBLIC_URL })).toBe(expected ?? 'mailto:noreply@example.com')
  expect(contact({ PUBLIC_URL, ...MAIL })).toBe(expected ?? 'mailto:chat@acme.example.com')
})

test('without a public address there is a contact nevertheless', () => {
  expect(contact({})).toBe('mailto:noreply@example.com')
  const local = { PUBLIC_URL: 'http://localhost:3000', ...MAIL, MAIL_FROM: 'parley@localhost' }
  expect(contact(local)).toBe('mailto:noreply@example.com')
})

const claimsOf = (header: string) =>
  JSON.parse(Buffer.from(header.split('.')[1] as string, 'base64url').toString()) as { aud: string; exp: number }

test('a token is for one origin, and used until it is renewed', () => {
  const start = Date.now()
  vi.useFakeTimers({ now: start, toFake: ['Date'] })
  try {
    const vapid = createVapid(createPushKeys('a secret of the nodes', 'one'), 'https://chat.acme.com')
    const hours = (count: number) => vi.setSystemTime(start + count * 3_600_000)
    const first = vapid.header('https://push.example.com')
    expect(claimsOf(first)).toMatchObject({ aud: 'https://push.example.com', sub: 'https://chat.acme.com' })
    expect(claimsOf(vapid.header('https://other.example.com')).aud).toBe('https://other.example.com')
    hours(5)
    expect(vapid.header('https://push.example.com')).toBe(first)
    hours(6)
    const second = vapid.header('https://push.example.com')
    expect(claimsOf(second).exp - claimsOf(first).exp).toBe(6 * 3600)
    // The clock was an hour ahead.
    hours(5)
    expect(claimsOf(vapid.header('https://push.example.com')).exp).toBe(claimsOf(second).exp - 3600)
  } finally {
    vi.useRealTimers()
  }
})

test('a token that was refused is not used again', () => {
  const vapid = createVapid(createPushKeys('a secret of the nodes', 'one'), 'https://chat.acme.com')
  const first = vapid.header('https://push.example.com')
  vapid.forget('https://push.example.com')
  // Signatures contain randomness.
  expect(vapid.header('https://push.example.com')).not.toBe(first)
})
