import type { Endpoint } from '#contract/endpoint'
import type { ErrorCode } from '#contract/errors'

export interface Failure {
  status: number
  name: string
  codes: ErrorCode[]
  description: string
  /** Whether a call documents it. This is approximate: some calls list failures that they never return. */
  appliesTo(e: Endpoint): unknown
  /** Has a `Retry-After` header. */
  hasRetryAfter?: true
}

const always = () => true

/** The error responses; each error code of the contract belongs to one of them. */
export const FAILURES: Failure[] = [
  {
    status: 400,
    name: 'Invalid',
    codes: ['invalid', 'already_member', 'owner_cannot_leave', 'everyone_stays', 'not_a_parent', 'no_such_file'],
    description: 'Invalid input; `fields` and `problems` name what is wrong.',
    appliesTo: ({ params, query, body }) => params || query || body,
  },
  {
    status: 401,
    name: 'Unauthenticated',
    codes: ['unauthenticated'],
    description: 'No token, or an expired or revoked one.',
    appliesTo: always,
  },
  {
    status: 403,
    name: 'Forbidden',
    codes: ['forbidden', 'not_a_member', 'muted', 'second_factor_needed', 'fresh_sign_in_needed'],
    description: 'You can see it, but are not allowed to do this.',
    appliesTo: ({ method }) => method !== 'GET',
  },
  {
    status: 404,
    name: 'NotFound',
    codes: ['not_found'],
    description: 'It does not exist, or you cannot see it.',
    appliesTo: ({ params, body }) => params || body,
  },
  {
    status: 405,
    name: 'MethodNotAllowed',
    codes: ['method_not_allowed'],
    description: 'Method not allowed; `Allow` lists the allowed ones.',
    appliesTo: always,
  },
  {
    status: 409,
    name: 'Conflict',
    codes: [
      'name_taken',
      'username_taken',
      'export_running',
      'archived',
      'not_archived',
      'import_open',
      'import_state',
      'already_held',
      'client_id_reused',
      'deleted',
      'edit_conflict',
      'no_password',
      'push_off',
      'push_key_changed',
      'two_factor_state',
      'second_factor_first',
      'handover_open',
      'owner_hands_over',
      'sign_up_fixed',
      'link_previews_fixed',
      'not_new',
      'on_hold',
      'demo_busy',
      'account_provided',
      'passkey_setup_ended',
      'too_many_passkeys',
      'file_attached',
      'too_many_reactions',
      'too_many_pins',
      'too_many_keywords',
      'too_many_later',
      'too_many_scheduled',
      'too_many_emoji',
      'too_many_invites',
      'too_many_tokens',
      'no_speech',
      'nothing_to_say',
    ],
    description: 'It conflicts with the current state.',
    appliesTo: ({ body, gives }) => body || gives === 'audio/mpeg',
  },
  {
    status: 413,
    name: 'TooLarge',
    codes: ['too_large'],
    description: 'The request is too large.',
    appliesTo: ({ body }) => body,
  },
  {
    status: 416,
    name: 'BadRange',
    codes: ['bad_range'],
    description: 'Range not satisfiable, or several ranges requested.',
    appliesTo: ({ gives }) => gives,
  },
  {
    status: 429,
    name: 'RateLimited',
    codes: ['rate_limited'],
    description: 'Too many requests.',
    appliesTo: always,
    hasRetryAfter: true,
  },
  {
    status: 500,
    name: 'Internal',
    codes: ['internal'],
    description: 'An internal error; `requestId` finds it in the log.',
    appliesTo: always,
  },
  {
    status: 503,
    name: 'Unavailable',
    codes: ['unavailable'],
    description: 'The database does not respond, or the server is busy. It is unknown whether anything was done.',
    appliesTo: always,
    hasRetryAfter: true,
  },
  {
    status: 507,
    name: 'NoRoom',
    codes: ['quota_exceeded', 'storage_full'],
    description: 'Your quota, or the disk of the server, is full. Nothing was stored.',
    appliesTo: ({ method }) => method !== 'GET',
  },
]
