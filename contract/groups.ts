import * as z from 'zod/mini'
import { Channel } from './channels.ts'
import { endpoint } from './endpoint.ts'
import { fieldProblem } from './errors.ts'
import { Id, UserId } from './ids.ts'
import { limits } from './limits.ts'
import { seenText } from './text.ts'
import { User, Username } from './users.ts'

/** A set of people that can be mentioned as `@username`. Nested groups add their people. */
export const Group = z.object({
  id: Id,
  username: z.string(),
  name: z.string(),
  /** People in it and in its nested groups, each counted once. */
  peopleCount: z.int(),
  /** Whether I am in it or in one of its nested groups. */
  isMine: z.boolean(),
  /** Whether a directory (SCIM) manages it, so nobody else may change it. */
  isManaged: z.boolean(),
})
export type Group = z.output<typeof Group>

const GroupRef = z.pick(Group, { id: true, username: true, name: true })

/** A group with its direct people and groups. */
export const GroupDetails = z.extend(Group, { people: z.array(User), groups: z.array(GroupRef) })
export type GroupDetails = z.output<typeof GroupDetails>

const name = seenText(limits.personName)
const userIds = z
  .array(UserId)
  .check(z.maxLength(limits.group.people, fieldProblem('errors.tooManyInGroup', { max: limits.group.people })))
const groupIds = z
  .array(Id)
  .check(z.maxLength(limits.group.parts, fieldProblem('errors.tooManyInGroup', { max: limits.group.parts })))
const params = z.object({ groupId: Id })

export const listGroups = endpoint({
  method: 'GET',
  path: '/api/groups',
  summary: 'All groups by username. Guests see none.',
  reply: z.array(Group),
})

export const getGroup = endpoint({
  method: 'GET',
  path: '/api/groups/:groupId',
  summary: 'A group with its people and the groups in it.',
  params,
  reply: GroupDetails,
})

export const createGroup = endpoint({
  method: 'POST',
  path: '/api/groups',
  summary: 'Create a group. For those who may create groups, who also manage all of them.',
  body: z.object({
    username: Username,
    name,
    userIds: z._default(userIds, []),
    groupIds: z._default(groupIds, []),
  }),
  status: 201,
  reply: GroupDetails,
})

export const updateGroup = endpoint({
  method: 'PATCH',
  path: '/api/groups/:groupId',
  summary: 'Change a group. `userIds` and `groupIds` replace all of its people and groups.',
  params,
  body: z.object({
    username: z.optional(Username),
    name: z.optional(name),
    userIds: z.optional(userIds),
    groupIds: z.optional(groupIds),
  }),
  reply: GroupDetails,
})

export const deleteGroup = endpoint({
  method: 'DELETE',
  path: '/api/groups/:groupId',
  summary: 'Delete a group. Messages that mentioned it stay as they are.',
  params,
  status: 204,
  reply: z.undefined(),
})

export const inviteGroup = endpoint({
  method: 'POST',
  path: '/api/channels/:channelId/invite-group',
  summary: 'Add all people of a group to a channel I am a member of. Those who are members already stay so.',
  params: z.object({ channelId: Id }),
  body: z.object({ groupId: Id }),
  reply: Channel,
})
