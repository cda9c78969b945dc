import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { fieldProblem } from './errors.ts'
import { signUpModes } from './identity.ts'
import { Time } from './ids.ts'
import { limits } from './limits.ts'
import { roles } from './roles.ts'
import { Query, seenText } from './text.ts'
import { Profile } from './users.ts'

/** A user as the owner and admins see them. */
export const Account = z.extend(Profile, {
  email: z.string(),
  role: z.enum(roles),
  createdAt: Time,
  /** Whether their password sign-in takes a second factor. */
  hasSecondFactor: z.boolean(),
  guestUntil: z.nullable(Time),
  mutedUntil: z.nullable(Time),
})
export type Account = z.output<typeof Account>

export const listAccounts = endpoint({
  method: 'GET',
  path: '/api/workspace/people',
  summary:
    'All users, deactivated ones included, by username; with `query`, those whose username, name or email contains it. For the owner and admins.',
  query: z.object({ query: z.optional(Query) }),
  reply: z.array(Account),
})

export const renameWorkspace = endpoint({
  method: 'PATCH',
  path: '/api/workspace',
  summary: 'Rename the workspace. Anybody who reaches the sign-in page can read the name. For the owner and admins.',
  body: z.object({ name: seenText(limits.workspaceName) }),
  reply: z.object({ name: z.string() }),
})

const SignUp = z.enum(signUpModes, fieldProblem('errors.notOneOf', { options: signUpModes.join(', ') }))
const SignUpRule = z.object({
  signUp: SignUp,
  /** Whether the server's settings decide it (`SIGNUP`). */
  isFixed: z.boolean(),
})
export type SignUpRule = z.output<typeof SignUpRule>

export const getSignUp = endpoint({
  method: 'GET',
  path: '/api/workspace/sign-up',
  summary: 'Who may sign up. For the owner and admins.',
  reply: SignUpRule,
})

export const setSignUp = endpoint({
  method: 'PUT',
  path: '/api/workspace/sign-up',
  summary:
    'Set who may sign up: anybody (`open`), people with an invite (`invite`), or nobody (`closed`). For the owner and admins.',
  body: z.object({ signUp: SignUp }),
  reply: SignUpRule,
})

export const setUpWorkspace = endpoint({
  method: 'POST',
  path: '/api/workspace/set-up',
  summary:
    "Complete the owner's first screen, with the choices made there. Ignored once it was completed. For the owner.",
  body: z.object({ name: z.optional(seenText(limits.workspaceName)), signUp: z.optional(SignUp) }),
  status: 204,
  reply: z.undefined(),
})

const demo = '/api/workspace/demo'

export const getDemo = endpoint({
  method: 'GET',
  path: demo,
  summary: 'Whether the workspace is filled with the demo, and what emptying it would delete. For the owner.',
  reply: z.object({
    /** Null without a demo, also after it could not be filled. */
    state: z.nullable(z.enum(['filling', 'filled'])),
    /** Whether the workspace is new, so that it can be filled. */
    canFill: z.boolean(),
    /** Messages by real people in its channels, #general included. */
    ownMessages: z.int(),
  }),
})

export const fillDemo = endpoint({
  method: 'POST',
  path: demo,
  summary:
    'Begin to fill a new workspace with a week of a made-up company: people who cannot sign in, channels, messages and files. For the owner.',
  status: 202,
  reply: z.undefined(),
})

export const emptyDemo = endpoint({
  method: 'DELETE',
  path: demo,
  summary:
    'Delete the people of the demo, their channels, and all messages in #general, whoever wrote them. For the owner.',
  status: 204,
  reply: z.undefined(),
})
