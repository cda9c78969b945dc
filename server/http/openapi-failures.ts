import type { Endpoint } from '#contract/endpoint'
import type { ErrorCode } from '#contract/errors'

export interface Failure {
  status: number
  name: string
  codes: ErrorCode[]
  says: string
  /** Of which calls it is an answer: a general rule, so a call may list one that it never gives. */
  of(e: Endpoint): unknown
  /** Comes with the seconds after which to try again. */
  waits?: true
}

const always = () => true

/** What an answer can be besides a success; each code of the contract belongs to one of them. */
export const FAILURES: Failure[] = [
  {
    status: 400,
    name: 'Invalid',
    codes: ['invalid', 'already_member', 'owner_cannot_leave', 'everyone_stays', 'not_a_parent', 'no_such_file'],
    says: 'Invalid input; `fields` names what is wrong.',
    of: ({ params, query, body }) => params || query || body,
  },
  {
    status: 401,
    name: 'Unauthenticated',
    codes: ['unauthenticated'],
    says: 'No token, or an expired or revoked one.',
    of: always,
  },
  {
    status: 403,
    name: 'Forbidden',
    codes: ['forbidden', 'not_a_member'],
    says: 'You can see it, but are not allowed to do this.',
    of: ({ method }) => method !== 'GET',
  },
  {
    status: 404,
    name: 'NotFound',
    codes: ['not_found'],
    says: 'It does not exist, or you cannot see it.',
    of: ({ params, body }) => params || body,
  },
  {
    status: 405,
    name: 'MethodNotAllowed',
    codes: ['method_not_allowed'],
    says: 'Method not allowed; `Allow` lists the allowed ones.',
    of: always,
  },
  {
    status: 409,
    name: 'Conflict',
    codes: [
      'name_taken',
      'username_taken',
      'client_id_reused',
      'deleted',
      'edit_conflict',
      'file_attached',
      'too_many_reactions',
      'too_many_invites',
      'no_speech',
      'nothing_to_say',
    ],
    says: 'It conflicts with the current state.',
    of: ({ body, gives }) => body || gives === 'audio/mpeg',
  },
  {
    status: 413,
    name: 'TooLarge',
    codes: ['too_large'],
    says: 'The request is too large.',
    of: ({ body }) => body,
  },
  {
    status: 416,
    name: 'BadRange',
    codes: ['bad_range'],
    says: 'Range not satisfiable, or several ranges requested.',
    of: ({ gives }) => gives,
  },
  {
    status: 429,
    name: 'RateLimited',
    codes: ['rate_limited'],
    says: 'Too many requests.',
    of: always,
    waits: true,
  },
  {
    status: 500,
    name: 'Internal',
    codes: ['internal'],
    says: 'An internal error; `requestId` finds it in the log.',
    of: always,
  },
  {
    status: 503,
    name: 'Unavailable',
    codes: ['unavailable'],
    says: 'The database does not respond, or the server is busy. It is unknown whether anything was done.',
    of: always,
    waits: true,
  },
  {
    status: 507,
    name: 'NoRoom',
    codes: ['quota_exceeded', 'storage_full'],
    says: 'Your quota, or the disk of the server, is full.',
    of: ({ takes }) => takes,
  },
]
