import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { certificateMail } from '../mail/certificate-mail.ts'
import { createCertificate } from '../test/support/certificates.ts'
import { atEnd } from '../test/support/cleanup.ts'
import { acmeFolder, parseCertificate } from './certificate.ts'
import { findCertificateProblem } from './certificate-problem.ts'

test('a certificate has names, and the time it lasts', async () => {
  const endsAt = new Date('2027-01-01T00:00:00Z')
  const { cert, key } = await createCertificate('chat.example.com', { endsAt, address: '127.0.0.1' })
  expect(parseCertificate(cert, key)).toMatchObject({ names: ['chat.example.com', '127.0.0.1'], endsAt })
})

test('a key of another certificate or of another kind, or an empty one, is refused', async () => {
  const { cert } = await createCertificate('chat.example.com')
  const pem = { type: 'pkcs8', format: 'pem' } as const
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export(pem)
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export(pem)
  for (const key of [rsa, ec]) expect(() => parseCertificate(cert, key.toString())).toThrow('is for another key')
  expect(() => parseCertificate(cert, '')).toThrow()
})

test('authorities on one host have folders of their own', () => {
  const folderOf = (directory: string) => acmeFolder('/data', { kind: 'acme', domain: 'chat.example.com', directory })
  const [one, two] = ['one', 'two'].map((it) => folderOf(`https://ca.example.com:9000/acme/${it}/directory`))
  expect(one).toMatch(/^\/data\/tls\/ca\.example\.com-[\da-f]{8}$/)
  expect(two).not.toBe(one)
})

test('a certificate that has ended is a problem', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-tls-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const [TLS_CERT, TLS_KEY] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const put = async (endsAt?: Date) => {
    const { cert, key } = await createCertificate('chat.example.com', {
      startsAt: new Date(0),
      ...(endsAt && { endsAt }),
    })
    await Promise.all([writeFile(TLS_CERT, cert), writeFile(TLS_KEY, key)])
  }
  const config = readConfig({ TLS_CERT, TLS_KEY, DATA_DIR: folder })
  await put()
  expect(await findCertificateProblem(config)).toBeUndefined()
  await put(new Date('2026-01-01T00:00:00Z'))
  expect(await findCertificateProblem(config)).toBe(
    'The certificate of TLS_CERT ended on 2026-01-01T00:00:00.000Z. Put a new one in its place.',
  )
})

test('the mail to the owner says whether the certificate ends or has ended, and why', () => {
  const problem = {
    names: ['chat.example.com'],
    endsAt: new Date('2026-12-01T00:00:00Z'),
    isOver: false,
    reason: 'refused',
    language: null,
    workspace: 'Gangway',
    publicUrl: 'https://chat.example.com',
  }
  const soon = certificateMail(problem)
  expect(soon.subject).toBe('The certificate of chat.example.com ends on December 1, 2026')
  expect(soon.paragraphs.join(' ')).toContain('The last attempt failed: refused')
  const over = certificateMail({ ...problem, isOver: true, reason: undefined, language: 'de' })
  expect(over.subject).toBe('Das Zertifikat von chat.example.com ist am 1. Dezember 2026 abgelaufen')
  expect(over.paragraphs.join(' ')).toContain('TLS_CERT')
})
