import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const SEVERAL = { DATABASE_URL: 'postgres://10.0.0.5/parley', REDIS_URL: 'redis://10.0.0.6' }
const FILES = { TLS_CERT: 'cert.pem', TLS_KEY: '/etc/key.pem' }

test('without its settings Parley serves plain HTTP on port 3000', () => {
  expect(readConfig({})).toMatchObject({ tls: undefined, port: 3000, publicUrl: undefined })
})

test('TLS_DOMAIN is the address people use, on the standard ports', () => {
  const source = {
    kind: 'acme',
    domain: 'chat.example.com',
    directory: 'https://acme-v02.api.letsencrypt.org/directory',
  }
  expect(readConfig({ TLS_DOMAIN: ' Chat.Example.com' })).toMatchObject({
    tls: { source, httpPort: 80 },
    port: 443,
    publicUrl: 'https://chat.example.com',
  })
  // As in a container, whose ports are published as 443 and 80.
  expect(readConfig({ TLS_DOMAIN: 'chat.example.com', PORT: '3000', HTTP_PORT: '3080' })).toMatchObject({
    tls: { source, httpPort: 3080 },
    port: 3000,
    publicUrl: 'https://chat.example.com',
  })
  const other = { TLS_DOMAIN: 'chat.example.com', PUBLIC_URL: 'https://chat.example.com:8443' }
  expect(readConfig(other).publicUrl).toBe('https://chat.example.com:8443')
})

test('mail uses the address of TLS_DOMAIN', () => {
  const mail = { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'chat@example.com' }
  expect(readConfig({ TLS_DOMAIN: 'chat.example.com', ...mail }).mail?.publicUrl).toBe('https://chat.example.com')
})

test.each([
  ['chat.bücher.example', 'chat.xn--bcher-kva.example'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
])('TLS_DOMAIN %s is %s', (TLS_DOMAIN, domain) => {
  expect(readConfig({ TLS_DOMAIN }).tls?.source).toMatchObject({ domain })
})

test.each([
  'localhost',
  '192.0.2.7',
  '[2001:db8::7]',
  '*.example.com',
  'https://chat.example.com',
  'chat.example.com:443',
  'chat.example.com/x',
  'chat.example.com#x',
  'me@chat.example.com',
  'chat_1.example.com',
  '-a.example.com',
  'a..example.com',
  '../../etc/passwd',
  `${'a'.repeat(64)}.example.com`,
])('TLS_DOMAIN %s is refused', (TLS_DOMAIN) => {
  expect(() => readConfig({ TLS_DOMAIN })).toThrow('TLS_DOMAIN must be the name people use, such as chat.example.com')
})

test('TLS_CERT and TLS_KEY are paths, and leave plain HTTP to others if HTTPS has a port of its own', () => {
  const source = { kind: 'files', certPath: resolve('cert.pem'), keyPath: '/etc/key.pem' }
  expect(readConfig(FILES)).toMatchObject({ tls: { source, httpPort: 80 }, port: 443, publicUrl: undefined })
  expect(readConfig({ ...FILES, PORT: '3443' }).tls).toEqual({ source, httpPort: undefined })
  expect(readConfig({ ...FILES, HTTP_PORT: 'off' }).tls).toEqual({ source, httpPort: undefined })
  expect(readConfig({ ...FILES, PORT: '3443', HTTP_PORT: '3080' }).tls).toEqual({ source, httpPort: 3080 })
  // Several nodes may each have a certificate for the load balancer.
  expect(readConfig({ ...FILES, ...SEVERAL }).tls?.source).toEqual(source)
})

test.each([
  [{ TLS_CERT: 'cert.pem' }, 'TLS_KEY is required with TLS_CERT.'],
  [{ TLS_KEY: 'key.pem' }, 'TLS_CERT is required with TLS_KEY.'],
  [{ ...FILES, TLS_DOMAIN: 'chat.example.com' }, 'unset one of them'],
  [{ HTTP_PORT: '80' }, 'TLS_DOMAIN, or TLS_CERT and TLS_KEY, is required with HTTP_PORT.'],
  [{ ACME_DIRECTORY: 'https://ca.example.com/dir' }, 'is required with ACME_DIRECTORY.'],
  [{ TLS_DOMAIN: 'chat.example.com', HTTP_PORT: 'off' }, 'HTTP_PORT cannot be off with TLS_DOMAIN'],
  [{ TLS_DOMAIN: 'chat.example.com', HTTP_PORT: 'many' }, 'HTTP_PORT must be a number from 0 to 65535, or off'],
  [{ TLS_DOMAIN: 'chat.example.com', HTTP_PORT: ' ' }, 'HTTP_PORT must be a number from 0 to 65535, or off'],
  [{ TLS_DOMAIN: 'chat.example.com', HTTP_PORT: '443' }, "both can't be 443"],
  [{ TLS_DOMAIN: 'chat.example.com', PORT: '80' }, "both can't be 80"],
  [{ ...FILES, ACME_DIRECTORY: 'https://ca.example.com/dir' }, 'ACME_DIRECTORY is for TLS_DOMAIN'],
  [
    { TLS_DOMAIN: 'chat.example.com', ACME_DIRECTORY: 'https://me:pw@ca.example.com/' },
    'ACME_DIRECTORY must be an address',
  ],
  [{ TLS_DOMAIN: 'chat.example.com', HTTP_PORT: '70000' }, 'HTTP_PORT must be a number from 0 to 65535, or off'],
  [{ TLS_DOMAIN: 'chat.example.com', ACME_DIRECTORY: 'http://ca.example.com' }, 'ACME_DIRECTORY must be an address'],
  [{ TLS_DOMAIN: 'chat.example.com', ...SEVERAL }, 'let the load balancer end TLS'],
  [{ TLS_DOMAIN: 'chat.example.com', PUBLIC_URL: 'https://talk.example.com' }, 'must have the same name'],
  [{ TLS_DOMAIN: 'chat.example.com', PUBLIC_URL: 'http://chat.example.com' }, 'PUBLIC_URL must begin with https:'],
  [{ ...FILES, PUBLIC_URL: 'http://chat.example.com' }, 'PUBLIC_URL must begin with https:'],
])('%j is refused with a sentence', (settings, sentence) => {
  expect(() => readConfig(settings)).toThrow(sentence)
})

test.each(['TLS_CERT', 'TLS_KEY'])(
  '%s with the text of a file instead of its path is refused, and not shown',
  (name) => {
    const text = `-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49\n-----END PRIVATE KEY-----`
    for (const value of [text, `x\n${text}`]) {
      const read = () => readConfig({ ...FILES, [name]: value })
      expect(read).toThrow(`${name} must be the path of a file in PEM; the value is not shown.`)
    }
  },
)
