import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { fieldProblem } from './errors.ts'
import { EndTime, Time } from './ids.ts'

export const availabilities = ['active', 'away', 'quiet', 'invisible'] as const

export const Availability = z.object({
  /** 'quiet' is do not disturb. Others never learn that somebody is invisible: they see them as offline. */
  availability: z.enum(availabilities, fieldProblem('errors.notOneOf', { options: availabilities.join(', ') })),
  /** When do not disturb ends. Until then nothing notifies me, also while I am away or invisible. */
  quietUntil: z.nullable(Time),
  /** Whether my status has it on. Absent in what older nodes send. */
  isStatusQuiet: z.optional(z.boolean()),
})
export type Availability = z.output<typeof Availability>

export const getAvailability = endpoint({
  method: 'GET',
  path: '/api/users/me/availability',
  summary: 'Whether I am away, do not want to be disturbed, or am invisible.',
  reply: Availability,
})

export const setAvailability = endpoint({
  method: 'PUT',
  path: '/api/users/me/availability',
  summary:
    'Be active, away, quiet (do not disturb) until a time within a year, or invisible. Being active ends do not disturb; being away or invisible doesn’t.',
  body: z.object({
    ...z.pick(Availability, { availability: true }).shape,
    /** Required for 'quiet'. */
    until: z.optional(z.nullable(EndTime)),
  }),
  reply: Availability,
})
