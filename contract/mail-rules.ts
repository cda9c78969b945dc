import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** Notifications mailed to people who are not active, and the weekly digest; with their defaults. */
export const mailRuleDefaults = { direct: true, mentions: true, threads: true, digest: false } as const
export type MailRule = keyof typeof mailRuleDefaults
export const mailRuleNames = Object.keys(mailRuleDefaults) as MailRule[]

const Rules = z.object({ direct: z.boolean(), mentions: z.boolean(), threads: z.boolean(), digest: z.boolean() })

/** My rules. They apply once my address is confirmed. */
export const MailRules = z.extend(Rules, { sendsMail: z.boolean(), isConfirmed: z.boolean() })
export type MailRules = z.output<typeof MailRules>

export const getMailRules = endpoint({
  method: 'GET',
  path: '/api/mail-rules',
  summary:
    'What is mailed to me when I was not there for a while: direct messages, mentions, threads I follow; and a weekly digest.',
  reply: MailRules,
})

export const setMailRules = endpoint({
  method: 'PATCH',
  path: '/api/mail-rules',
  summary: 'Choose what is mailed to me.',
  body: z.partial(Rules),
  reply: MailRules,
})
