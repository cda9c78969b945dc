import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Time } from './ids.ts'
import { Query } from './text.ts'
import { Profile, roles } from './users.ts'

/** A person as those see them who look after the workspace. */
export const Account = z.extend(Profile, { email: z.string(), role: z.enum(roles), createdAt: Time })
export type Account = z.output<typeof Account>

export const listAccounts = endpoint({
  method: 'GET',
  path: '/api/workspace/people',
  summary:
    'Everybody, also those who were deactivated, by username; those whose username, name or e-mail holds `query`. For the owner and admins.',
  query: z.object({ query: z.optional(Query) }),
  reply: z.array(Account),
})
