import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
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
