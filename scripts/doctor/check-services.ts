import { randomUUID, X509Certificate } from 'node:crypto'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Config } from '../../server/config/config.ts'
import type { MailSettings } from '../../server/config/mail-settings.ts'
import type { OidcConfig } from '../../server/config/oidc-settings.ts'
import type { S3Config } from '../../server/config/s3-config.ts'
import { AppError } from '../../server/errors.ts'
import { openBucket } from '../../server/files/s3.ts'
import { discovery } from '../../server/identity/oidc-discovery.ts'
import { commandLine } from '../../server/installation.ts'
import { mailProblem, mailServer } from '../../server/mail/mail-problem.ts'
import { tryMailServer } from '../../server/mail/transport.ts'
import { certificatePaths, readCertificate } from '../../server/tls/certificate.ts'
import { findCertificateProblem } from '../../server/tls/certificate-problem.ts'
import { alarmsAt } from '../../server/tls/renewal-rules.ts'
import { asSentence, type Finding, none, ok, problem } from './finding.ts'

export async function checkMail(mail: MailSettings | undefined): Promise<Finding[]> {
  if (!mail) return [none('SMTP_URL is not set: no mail is sent.')]
  const failure = await tryMailServer(mail).catch((error) => mailProblem(error, mail))
  if (failure) return [problem(failure)]
  const command = commandLine('mail-test', 'me@example.com')
  return [
    ok(
      `${mailServer(mail)} ${mail.auth ? 'accepts the user and the password' : 'answers'}. "${command}" sends a mail.`,
    ),
  ]
}

const PROBE_PREFIX = 'doctor'

/** Writes, reads and removes an object. */
export async function checkBucket({ s3, maxFileSize }: Config & { s3: S3Config }): Promise<Finding[]> {
  const bucket = openBucket(s3, PROBE_PREFIX, maxFileSize)
  const [key, content] = [randomUUID(), 'written by the command doctor']
  try {
    await bucket.write(key, Readable.from([Buffer.from(content)]))
    const stored = await bucket.read(key, content.length)
    if (!stored || (await text(stored)) !== content)
      return [problem(`The bucket ${s3.bucket} does not return what was stored in it.`)]
    await bucket.remove([key])
    return [ok(`The bucket ${s3.bucket} stores, returns and removes files.`)]
  } catch (error) {
    await bucket.remove([key]).catch(() => {})
    return [problem(bucketProblem(causeOf(error), s3))]
  }
}

interface S3Error {
  name?: string
  message?: string
  code?: string
}

/** The store's own error, which is hidden from users. */
const causeOf = (error: unknown) => ((error instanceof AppError ? error.cause : error) ?? error) as S3Error

/** What to do about an error of the store, by its name or message. */
function bucketProblem({ name = '', message = '', code = '' }: S3Error, { bucket, endpoint = 'Amazon S3' }: S3Config) {
  const known: [RegExp, string][] = [
    [/NoSuchBucket/, `There is no bucket ${bucket} at ${endpoint}. Make it, or mend S3_BUCKET.`],
    [/InvalidAccessKeyId/, `${endpoint} doesn't know the key of S3_ACCESS_KEY_ID.`],
    [/SignatureDoesNotMatch/, `${endpoint} refuses the signature: S3_SECRET_ACCESS_KEY is wrong, or S3_REGION.`],
    [/RequestTimeTooSkewed/, `${endpoint} refuses requests because this machine's clock is wrong. Set it by NTP.`],
    [/AccessDenied|Forbidden/, `The key of S3_ACCESS_KEY_ID may not write, read and remove in ${bucket}. Allow it.`],
    [/ENOTFOUND|EAI_AGAIN/, `${endpoint} is not a known name. Check S3_ENDPOINT.`],
    [/ECONNREFUSED/, `Nothing answers at ${endpoint}. Check S3_ENDPOINT.`],
    [/abort|timeout/i, `${endpoint} does not answer in time. Check S3_ENDPOINT.`],
    [/^\s*$|\$response|deserializ/i, `Something else than S3 answers at ${endpoint}. Check S3_ENDPOINT.`],
  ]
  const text = `${name} ${code} ${message}`
  return (
    known.find(([pattern]) => pattern.test(text))?.[1] ??
    `The bucket ${bucket} at ${endpoint} can't be used: ${asSentence(text)}`
  )
}

export async function checkProvider(oidc: OidcConfig): Promise<Finding[]> {
  await discovery(oidc)(0)
  return [ok(`${oidc.issuer} answers.`)]
}

/** The certificate, if Parley ends TLS. */
export async function checkCertificate({ tls, dataDir, publicUrl }: Config): Promise<Finding[]> {
  if (!tls) return [none('Parley serves plain HTTP: TLS_DOMAIN and TLS_CERT are not set.')]
  const missing = await findCertificateProblem({ tls, dataDir })
  if (missing) return [problem(missing)]
  const certificate = await readCertificate(certificatePaths(tls.source, dataDir))
  const { names, startsAt, endsAt } = certificate
  const days = Math.floor((endsAt.getTime() - Date.now()) / (24 * 3_600_000))
  if (startsAt.getTime() > Date.now())
    return [problem(`The certificate is valid from ${startsAt.toISOString()} on only: is the clock right?`)]
  const name = publicUrl && new URL(publicUrl).hostname
  if (name && !new X509Certificate(certificate.cert).checkHost(name))
    return [problem(`The certificate is for ${names.join(', ')}, but PUBLIC_URL is ${publicUrl}.`)]
  if (Date.now() >= alarmsAt(certificate))
    return [problem(`The certificate ends in ${days} days, and there is no new one. The log says why.`)]
  return [ok(`The certificate for ${names.join(', ')} lasts for another ${days} days.`)]
}
