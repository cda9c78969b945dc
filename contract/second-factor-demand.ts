import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Time } from './ids.ts'
import { limits } from './limits.ts'

const path = '/api/workspace/second-factor'

export const getSecondFactorDemand = endpoint({
  method: 'GET',
  path,
  summary: 'Whether everybody needs a second factor, and how many people have none. For the owner and admins.',
  reply: z.object({
    isDemanded: z.boolean(),
    /** When it will be demanded, if people were given some days. */
    startsAt: z.nullable(Time),
    /** Active people who sign in with a password, and have neither an authenticator app nor a passkey. */
    without: z.int(),
  }),
})

export const demandSecondFactor = endpoint({
  method: 'PUT',
  path,
  summary:
    'Demand a second factor of everybody, or no longer. People who have none are signed out, after `graceDays` days if given, and set one up at their next sign-in. For the owner.',
  body: z.object({
    isDemanded: z.boolean(),
    /** Days until then; without effect if it is demanded already. */
    graceDays: z.optional(z.int().check(z.gte(0), z.lte(limits.secondFactorGraceDays))),
  }),
  status: 204,
  reply: z.undefined(),
})
