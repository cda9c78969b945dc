import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

const path = '/api/users/me/welcome'

/** The first steps that a newcomer has completed. */
export const FirstSteps = z.object({
  /** Sent a message in the channel that everyone belongs to. */
  hasWritten: z.boolean(),
  /** Joined or created another channel. */
  hasJoined: z.boolean(),
  /** Created an invite, or is not the only user. */
  hasCompany: z.boolean(),
})
export type FirstSteps = z.output<typeof FirstSteps>

export const getFirstSteps = endpoint({
  method: 'GET',
  path,
  summary: 'What I have done of the first steps that a newcomer is shown.',
  reply: FirstSteps,
})

export const endWelcome = endpoint({
  method: 'DELETE',
  path,
  summary: 'No longer show me the first steps, on any device.',
  status: 204,
  reply: z.undefined(),
})
