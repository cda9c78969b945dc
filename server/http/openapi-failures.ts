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
    says: 'It cannot be done like this; `fields` names what is wrong in the input.',
    of: ({ params, query, body }) => params || query || body,
  },
  {
    status: 401,
    name: 'Unauthenticated',
    codes: ['unauthenticated'],
    says: 'No token, or one that has ended.',
    of: always,
  },
  {
    status: 403,
    name: 'Forbidden',
    codes: ['forbidden', 'not_a_member'],
    says: 'You may know of it, and not do this with it.',
    of: ({ method }) => method !== 'GET',
  },
  {
    status: 404,
    name: 'NotFound',
    codes: ['not_found'],
    says: 'It is not there, or you may not know that it is.',
    of: ({ params, body }) => params || body,
  },
  {
    status: 405,
    name: 'MethodNotAllowed',
    codes: ['method_not_allowed'],
    says: 'The path has no such method; `Allow` names those it has.',
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
    says: 'It contradicts what there is.',
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
    says: 'Such a part is not there, or more than one was asked for.',
    of: ({ gives }) => gives,
  },
  {
    status: 429,
    name: 'RateLimited',
    codes: ['rate_limited'],
    says: 'Too much in too short a time.',
    of: always,
    waits: true,
  },
  {
    status: 500,
    name: 'Internal',
    codes: ['internal'],
    says: 'A failure of the server; `requestId` finds it in its log.',
    of: always,
  },
  {
    status: 503,
    name: 'Unavailable',
    codes: ['unavailable'],
    says: 'The database does not answer, or too much is waiting; nothing is known to be done.',
    of: always,
    waits: true,
  },
  {
    status: 507,
    name: 'NoRoom',
    codes: ['quota_exceeded', 'storage_full'],
    says: 'There is no room for the file: of your own, or on the server.',
    of: ({ takes }) => takes,
  },
]
