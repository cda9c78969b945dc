import * as z from 'zod'
import { StartError } from './start-error.ts'

export interface MailSettings {
  host: string
  port: number
  /** TLS from the first byte (`smtps`). Otherwise STARTTLS is used if the server offers it. */
  isSecure: boolean
  auth: { user: string; pass: string } | undefined
  /** Without a name, mail comes from the workspace. */
  from: { name: string; address: string }
  /** The origin of links in mails. Never a request's own origin, because anybody can choose that. */
  publicUrl: string
}

const SMTP_PORT = 587
const SMTPS_PORT = 465

function isDecodable(text: string) {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

const isSmtpUrl = (value: string) => {
  const url = URL.parse(value)
  return (
    /^smtps?:$/.test(url?.protocol ?? '') &&
    url?.hostname !== '' &&
    /^\/?$/.test(`${url?.pathname}${url?.search}${url?.hash}`) &&
    isDecodable(`${url?.username}${url?.password}`)
  )
}

export const mailEnvironment = {
  SMTP_URL: z
    .string()
    .refine(
      isSmtpUrl,
      'must be an address such as smtps://user:password@mail.example.com, with %23 for # and %25 for % in the password',
    )
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^([^<>\p{Cc}]{0,80} )?<?[\w.+=-]{1,64}@[\w.-]{1,190}>?$/u,
      'must be an address such as chat@example.com, or Parley <chat@example.com>',
    )
    .optional(),
}

type Environment = z.output<z.ZodObject<typeof mailEnvironment>> & { PUBLIC_URL?: string | undefined }

/** Undefined if Parley sends no mail. @throws StartError */
export function readMailSettings({ SMTP_URL, MAIL_FROM, PUBLIC_URL }: Environment): MailSettings | undefined {
  if (!SMTP_URL) {
    if (MAIL_FROM) throw new StartError('SMTP_URL is required with MAIL_FROM.')
    return undefined
  }
  if (!MAIL_FROM) throw new StartError('MAIL_FROM is required with SMTP_URL: the address that mail comes from.')
  if (!PUBLIC_URL)
    throw new StartError('PUBLIC_URL is required with SMTP_URL: the address that links in mails lead to.')
  const url = new URL(SMTP_URL)
  const isSecure = url.protocol === 'smtps:'
  const address = /[^<\s]+@[^>\s]+/.exec(MAIL_FROM)?.[0] ?? MAIL_FROM
  const name = MAIL_FROM.includes('<') ? MAIL_FROM.slice(0, MAIL_FROM.indexOf('<')).trim() : ''
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (isSecure ? SMTPS_PORT : SMTP_PORT),
    isSecure,
    auth: url.username ? { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } : undefined,
    from: { name, address },
    publicUrl: PUBLIC_URL,
  }
}
