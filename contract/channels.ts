import * as z from 'zod/mini'
import { type ChannelFlag, flagNames, mapFlags } from './channel-flags.ts'
import { AskedName, ChannelName } from './channel-name.ts'
import { endpoint } from './endpoint.ts'
import { fieldProblem } from './errors.ts'
import { Id, numeral, Time, UserId } from './ids.ts'
import { limits } from './limits.ts'
import { Level } from './notifications.ts'
import { seenText } from './text.ts'
import { Profile } from './users.ts'

/** Who may do something in a channel: all members, all but guests, or admins. */
export const channelLevels = ['all', 'members', 'admins'] as const
export type ChannelLevel = (typeof channelLevels)[number]

/**
 * The facts of a channel that all its readers see. `seq` is the number of its newest top-level message; every visible
 * change increments `rev` (docs/subsystems/sync.md).
 */
export const ChannelFacts = z.object({
  id: Id,
  kind: z.enum(['public', 'private', 'direct']),
  name: z.string(),
  /** True for direct messages as well. */
  isPrivate: z.boolean(),
  /** The channel that everyone belongs to and nobody can leave. */
  isGeneral: z.boolean(),
  topic: z.string(),
  ownerId: z.nullable(UserId),
  createdAt: Time,
  /** When it became read-only; null if it is not archived. */
  archivedAt: z._default(z.nullable(Time), null),
  /** Which roles may post; the channel's owner always may. */
  posting: z._default(z.enum(channelLevels), 'all'),
  /** Members who may post whatever `posting` says. Absent if an older node answers. */
  posters: z.optional(z.array(UserId)),
  /** Whether people who may not post may still reply in threads. */
  areRepliesOpen: z._default(z.boolean(), true),
  /** Which roles may use `@channel` and `@here`. */
  broadcasting: z._default(z.enum(channelLevels), 'all'),
  /** Whether links in new messages get a preview, if the workspace allows it. */
  linkPreviews: z._default(z.boolean(), true),
  /** When the newest top-level message was sent. */
  lastMessageAt: z.nullable(Time),
  seq: z.int(),
  rev: z.int(),
  _count: z.object({ members: z.int() }),
  /** The people of a direct message, including me; empty for other channels, whose members have their own call. */
  members: z.array(Profile),
})
export type ChannelFacts = z.output<typeof ChannelFacts>

/** How far a member has read. Of two cursors, the higher `readVersion` wins, then the position further on. */
export const ReadCursor = z.object({
  lastReadSeq: z.int(),
  /** Incremented when something is marked unread, so that a read in flight cannot undo it. */
  readVersion: z.int(),
  unread: z.int(),
  /** Unread messages that mention me, counted up to 100. */
  mentions: z.int(),
})
export type ReadCursor = z.output<typeof ReadCursor>

/** A cursor, and the channel's revision at which it was counted; later changes are not included. */
export const CountedCursor = z.extend(ReadCursor, { rev: z.int() })

/** A channel as one user sees it; their own fields are present for members. */
export const Channel = z.extend(ChannelFacts, {
  isMember: z.boolean(),
  ...mapFlags(() => z.optional(z.boolean())),
  /** What notifies me here; null for my default. */
  notificationLevel: z.optional(z.nullable(Level)),
  ...z.partial(ReadCursor).shape,
})
export type Channel = z.output<typeof Channel>

/**
 * A short digest of everything in a channel that may change while I am disconnected: its revision, how far I have read, and, for
 * a direct message, the others' presence and status. Equal if nothing changed.
 */
export const stateOf = (
  channel: Pick<Channel, 'rev' | 'members'> & {
    [K in 'lastReadSeq' | 'readVersion' | 'notificationLevel' | ChannelFlag]?: Channel[K] | null
  },
  me: string,
): string => {
  const { rev, lastReadSeq, readVersion, notificationLevel, members } = channel
  const others = members
    .filter(({ id }) => id !== me)
    .map(
      ({ status, user_status, statusText = '', availability, isIdle }) =>
        `${status} ${user_status}${statusText}${availability ?? ''}${isIdle ? ' idle' : ''}`,
    )
  // Omitted without one, as by nodes of earlier versions.
  const level = notificationLevel ? [notificationLevel] : []
  return [rev, lastReadSeq, readVersion, ...flagNames.map((flag) => channel[flag]), ...level, ...others].join()
}

export const pageQuery = {
  page: z._default(numeral(1, 1_000_000), 1),
  limit: z._default(numeral(1, limits.page.max), limits.page.default),
}
export const Pagination = z.object({ page: z.int(), limit: z.int(), hasMore: z.boolean() })

export const listChannels = endpoint({
  method: 'GET',
  path: '/api/channels',
  summary: 'Public channels and my private ones by name, and my direct messages, newest first. One page of each.',
  query: z.object(pageQuery),
  reply: z.object({
    channels: z.array(Channel),
    directMessages: z.array(Channel),
    /** `total` counts the list that has more pages. */
    pagination: z.extend(Pagination, { total: z.int() }),
    /** As in `ready`; if they differ by then, this response is stale. */
    epoch: z.string(),
    peopleVersion: z.int(),
  }),
})

export const compareChannels = endpoint({
  method: 'POST',
  path: '/api/channels/compare',
  summary: 'Which channels differ from the state I hold, and which I can no longer see.',
  maxBodyBytes: limits.largeBody,
  body: z.object({
    /** Results of `stateOf`, by channel id. */
    held: z
      .record(Id, z.string().check(z.maxLength(1000)))
      .check(
        z.refine(
          (held) => Object.keys(held).length <= limits.comparedChannels,
          fieldProblem('errors.tooManyChannelsHeld', { max: limits.comparedChannels }),
        ),
      ),
  }),
  reply: z.object({ moved: z.array(Id), gone: z.array(Id) }),
})

export const getPublicBucket = endpoint({
  method: 'GET',
  path: '/api/channels/public',
  summary: 'The channel of the files that were uploaded outside of any channel.',
  reply: z.object({ id: Id }),
})

export const getChannel = endpoint({
  method: 'GET',
  path: '/api/channels/:channelId',
  summary: 'One channel.',
  params: z.object({ channelId: Id }),
  reply: Channel,
})

export const createChannel = endpoint({
  method: 'POST',
  path: '/api/channels',
  summary:
    'Create a channel and become its owner. A private one called `dm-…` with one member is the direct message with them.',
  body: z.object({
    name: AskedName,
    isPrivate: z._default(z.boolean(), false),
    members: z._default(
      z
        .array(UserId)
        .check(
          z.maxLength(limits.firstMembers, fieldProblem('errors.tooManyFirstMembers', { max: limits.firstMembers })),
        ),
      [],
    ),
  }),
  status: 201,
  alsoStatus: 200,
  reply: Channel,
})

export const updateChannel = endpoint({
  method: 'PATCH',
  path: '/api/channels/:channelId',
  summary: 'Update a channel I own, or transfer it to another member (`ownerId`).',
  params: z.object({ channelId: Id }),
  body: z.object({
    name: z.optional(ChannelName),
    topic: z.optional(seenText(limits.topic, 0)),
    isPrivate: z.optional(z.boolean()),
    ownerId: z.optional(UserId),
    posting: z.optional(z.enum(channelLevels)),
    areRepliesOpen: z.optional(z.boolean()),
    broadcasting: z.optional(z.enum(channelLevels)),
    linkPreviews: z.optional(z.boolean()),
  }),
  reply: Channel,
})

export const deleteChannel = endpoint({
  method: 'DELETE',
  path: '/api/channels/:channelId',
  summary: 'Delete a channel I own, with its messages and files.',
  params: z.object({ channelId: Id }),
  status: 204,
  reply: z.undefined(),
})

export const openDirectMessage = endpoint({
  method: 'POST',
  path: '/api/direct-messages',
  summary: 'Find or create the direct message of exactly these users and me; 201 if it was created.',
  body: z.object({
    userIds: z
      .array(UserId)
      .check(
        z.minLength(1, fieldProblem('errors.mustNameSomeone')),
        z.maxLength(limits.directOthers + 1, fieldProblem('errors.mustNameFewerOthers', { max: limits.directOthers })),
      ),
  }),
  alsoStatus: 201,
  reply: Channel,
})
