import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { fieldProblem } from './errors.ts'
import { Id, numeral, Time, UserId } from './ids.ts'
import { limits } from './limits.ts'
import { MOMENT } from './search-query.ts'
import { Query } from './text.ts'
import { User } from './users.ts'

/** The recorded kinds, by topic. */
export const auditTopics = {
  access: [
    'signed_in',
    'sign_in_refused',
    'sessions_ended',
    'provider_signed_out',
    'password_changed',
    'password_link_created',
    'password_link_mailed',
    'password_reset',
    'two_factor_on',
    'two_factor_off',
    'two_factor_removed',
    'recovery_codes_renewed',
    'passkey_added',
    'passkey_removed',
    'second_factor_demanded',
    'email_changed',
  ],
  people: [
    'person_joined',
    'person_claimed',
    'person_deactivated',
    'person_reactivated',
    'account_deleted',
    'role_changed',
    'handover_offered',
    'handover_withdrawn',
    'handover_declined',
    'workspace_handed_over',
    'workspace_renamed',
    'sign_up_changed',
    'link_previews_changed',
    'edit_history_changed',
    'notification_level_changed',
    'demo_filled',
    'demo_emptied',
    'invite_created',
    'invite_revoked',
    'permissions_changed',
    'profile_fields_changed',
    'guest_end_changed',
    'person_muted',
    'person_unmuted',
    'report_dismissed',
    'group_created',
    'group_changed',
    'group_deleted',
    'group_provided',
    'emoji_added',
    'emoji_removed',
    'provisioning_token_created',
    'provisioning_token_revoked',
    'person_provided',
  ],
  channels: [
    'channel_created',
    'channel_renamed',
    'channel_made_private',
    'channel_made_public',
    'channel_transferred',
    'channel_deleted',
    'channel_archived',
    'channel_restored',
    'channel_rules_changed',
    'poster_added',
    'poster_removed',
    'private_channels_listed',
    'member_added',
    'member_removed',
  ],
  content: ['message_deleted', 'file_deleted'],
  retention: ['retention_changed', 'messages_expired', 'hold_placed', 'hold_lifted', 'audit_ages_changed'],
  data: [
    'export_started',
    'export_downloaded',
    'export_deleted',
    'backup_made',
    'backup_restored',
    'rolled_back',
    'import_started',
    'import_finished',
    'import_accepted',
    'import_undone',
    'import_retried',
    'import_cancelled',
    'audit_downloaded',
  ],
} as const
export type AuditTopic = keyof typeof auditTopics
export type AuditKind = (typeof auditTopics)[AuditTopic][number]
export const auditTopicNames = Object.keys(auditTopics) as AuditTopic[]

/** An audited action: who did what to whom or what, when, and from where. */
export const AuditEntry = z.object({
  /** Grows with time. */
  id: z.int(),
  at: Time,
  /** One of `auditTopics`; a newer version may know more. */
  kind: z.string(),
  /** Null for Parley itself, and for somebody who is not signed in. */
  actor: z.nullable(User),
  /** The other person involved. */
  person: z.nullable(User),
  /** As it was at the time. The id is null if I cannot read the channel, the name if I may not know it. */
  channel: z.nullable(z.object({ id: z.nullable(Id), name: z.nullable(z.string()), kind: z.string() })),
  /** Such as the roles before and after. */
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  address: z.nullable(z.string()),
  /** From the user agent: 'Firefox on Linux'. */
  device: z.nullable(z.string()),
})
export type AuditEntry = z.output<typeof AuditEntry>

const Moment = z.string().check(z.regex(MOMENT, fieldProblem('errors.notADay')))

const filters = {
  /** The actor or the other person involved. */
  person: z.optional(UserId),
  topic: z.optional(z.enum(auditTopicNames, fieldProblem('errors.notOneOf', { options: auditTopicNames.join(', ') }))),
  kind: z.optional(z.string().check(z.regex(/^[a-z_]{1,64}$/, fieldProblem('errors.notAKind')))),
  /** A day or a time: actions from then on. */
  after: z.optional(Moment),
  /** A day or a time: actions before it. */
  before: z.optional(Moment),
  /** Part of a person's or channel's name, or of an address. */
  q: z.optional(Query),
}

export const AuditFilters = z.object(filters)
export type AuditFilters = z.output<typeof AuditFilters>

export const listAudit = endpoint({
  method: 'GET',
  path: '/api/audit',
  summary:
    'What administrators and channel owners did, sign-ins and changed rights, newest first. For the owner and admins.',
  query: z.object({
    ...filters,
    /** `next` of the previous page. */
    cursor: z.optional(numeral(1)),
    limit: z._default(numeral(1, limits.page.max), limits.page.default),
  }),
  reply: z.object({
    entries: z.array(AuditEntry),
    /** The cursor of the next page, which may be shorter or empty; null at the end of the log. */
    next: z.nullable(z.int()),
  }),
})

const { days, addressDays } = limits.audit

/** Days after which lines are deleted, and after which their addresses and devices are erased, not later. */
export const AuditAges = z.object({
  days: z.int().check(z.gte(days.min), z.lte(days.max)),
  addressDays: z.int().check(z.gte(addressDays.min), z.lte(days.max)),
})
export type AuditAges = z.output<typeof AuditAges>

export const getAuditAges = endpoint({
  method: 'GET',
  path: '/api/audit/ages',
  summary: 'How long lines of the audit log, and the addresses in them, are kept. For the owner and admins.',
  reply: AuditAges,
})

export const setAuditAges = endpoint({
  method: 'PATCH',
  path: '/api/audit/ages',
  summary: 'Set how many days lines of the audit log, and the addresses in them, are kept. For the owner.',
  body: z.partial(AuditAges),
  reply: AuditAges,
})

export const auditFormats = ['csv', 'jsonl'] as const

export const AuditDownload = z.object({
  ...filters,
  format: z._default(
    z.enum(auditFormats, fieldProblem('errors.notOneOf', { options: auditFormats.join(', ') })),
    'csv',
  ),
})

export const downloadAudit = endpoint({
  method: 'GET',
  path: '/api/audit/download',
  summary: 'The filtered log as a file: one line per act, newest first. For the owner and admins.',
  query: AuditDownload,
  gives: 'text/csv',
  reply: z.string(),
})
