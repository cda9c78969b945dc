import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { fieldProblem } from './errors.ts'
import { Time, UserId } from './ids.ts'
import { limits } from './limits.ts'
import { User } from './users.ts'

const path = '/api/workspace/handover'
const { max } = limits.password

/** My password. People without one confirm by having signed in within the last ten minutes. */
export const OwnPassword = z.optional(z.string().check(z.maxLength(max, fieldProblem('errors.tooLong', { max }))))

/** An open request of the owner to take over the workspace. */
export const Handover = z.object({ from: User, to: User, expiresAt: Time })
export type Handover = z.output<typeof Handover>

export const getHandover = endpoint({
  method: 'GET',
  path,
  summary: 'The open request to take over the workspace. Only the owner and the person who was asked see it.',
  reply: z.object({ handover: z.nullable(Handover) }),
})

export const offerWorkspace = endpoint({
  method: 'POST',
  path,
  summary: 'Ask a member or admin to become the owner in my place. They have seven days to answer. For the owner.',
  body: z.object({ userId: UserId, password: OwnPassword }),
  status: 201,
  reply: Handover,
})

export const withdrawHandover = endpoint({
  method: 'DELETE',
  path,
  summary: 'Withdraw the request to take over the workspace. For the owner.',
  status: 204,
  reply: z.undefined(),
})

export const answerHandover = endpoint({
  method: 'POST',
  path: `${path}/answer`,
  summary: 'Accept or decline to become the owner. The former owner is an admin then.',
  body: z.object({ accepts: z.boolean() }),
  status: 204,
  reply: z.undefined(),
})
