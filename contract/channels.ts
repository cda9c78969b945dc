import * as z from 'zod/mini'
import { AskedName, ChannelName } from './channel-name.ts'
import { endpoint } from './endpoint.ts'
import { Id, numeral, Time, UserId } from './ids.ts'
import { limits } from './limits.ts'
import { seenText } from './text.ts'
import { Profile } from './users.ts'

/**
 * What all who may see a channel see of it. `seq` is the number of its newest top-level message, `rev` moves with
 * anything a reader can see in it (ARCHITECTURE.md, "One number per channel").
 */
export const ChannelFacts = z.object({
  id: Id,
  kind: z.enum(['public', 'private', 'direct']),
  name: z.string(),
  /** Also true of direct messages. */
  isPrivate: z.boolean(),
  /** The channel everyone is in, which nobody leaves. */
  isGeneral: z.boolean(),
  topic: z.string(),
  ownerId: z.nullable(UserId),
  createdAt: Time,
  /** When the newest top-level message was sent. */
  lastMessageAt: z.nullable(Time),
  seq: z.int(),
  rev: z.int(),
  _count: z.object({ members: z.int() }),
  /** Of a direct message its people, me among them; empty for others, whose members have a call of their own. */
  members: z.array(Profile),
})
export type ChannelFacts = z.output<typeof ChannelFacts>

/** How far a member has read. Of two cursors the one of higher `readVersion` holds, then the one further on. */
export const ReadCursor = z.object({
  lastReadSeq: z.int(),
  /** Moves when something is marked unread, so that a read which was on its way cannot undo it. */
  readVersion: z.int(),
  unread: z.int(),
  /** Unread messages that call me, counted up to 100. */
  mentions: z.int(),
})
export type ReadCursor = z.output<typeof ReadCursor>

/** A cursor, and the channel's revision at which it was counted: what changed later is not in it. */
export const CountedCursor = z.extend(ReadCursor, { rev: z.int() })

/** A channel as the one who asks sees it; what is theirs alone is there for members. */
export const Channel = z.extend(ChannelFacts, {
  isMember: z.boolean(),
  muted: z.optional(z.boolean()),
  ...z.partial(ReadCursor).shape,
})
export type Channel = z.output<typeof Channel>

/**
 * What of a channel may change while nobody tells me, in a few characters: its revision, how far I have read, and, of a
 * direct message, whether the others are here. Equal where nothing changed.
 */
export const stateOf = (
  channel: Pick<Channel, 'rev' | 'members'> & { [K in 'lastReadSeq' | 'readVersion' | 'muted']?: Channel[K] | null },
  me: string,
): string => {
  const { rev, lastReadSeq, readVersion, muted, members } = channel
  const others = members.filter(({ id }) => id !== me).map(({ status, user_status }) => `${status} ${user_status}`)
  return [rev, lastReadSeq, readVersion, muted, ...others].join()
}

export const pageQuery = {
  page: z._default(numeral(1, 1_000_000), 1),
  limit: z._default(numeral(1, limits.page.max), limits.page.default),
}
export const Pagination = z.object({ page: z.int(), limit: z.int(), hasMore: z.boolean() })

export const listChannels = endpoint({
  method: 'GET',
  path: '/api/channels',
  summary:
    'Public channels and the private ones I am in, by name, and my direct messages, newest first. One page of each.',
  query: z.object(pageQuery),
  reply: z.object({
    channels: z.array(Channel),
    directMessages: z.array(Channel),
    /** `total` is how many there are of that of which there are more. */
    pagination: z.extend(Pagination, { total: z.int() }),
    /** As `ready` tells them: where they are others by then, what was read before is old. */
    epoch: z.string(),
    peopleVersion: z.int(),
  }),
})

export const compareChannels = endpoint({
  method: 'POST',
  path: '/api/channels/compare',
  summary: 'Which of the channels that I can see are not as I hold them, and which I hold and cannot see any more.',
  body: z.object({
    /** By id, what `stateOf` makes of each: revision, how far I have read, and who is here. */
    held: z
      .record(Id, z.string().check(z.maxLength(1000)))
      .check(
        z.refine(
          (held) => Object.keys(held).length <= limits.comparedChannels,
          `holds more than ${limits.comparedChannels} channels`,
        ),
      ),
  }),
  reply: z.object({ moved: z.array(Id), gone: z.array(Id) }),
})

export const getPublicBucket = endpoint({
  method: 'GET',
  path: '/api/channels/public',
  summary: 'The channel that holds the files nobody put into a channel.',
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
    'Make a channel and become its owner. A private one called `dm-…` with one member is the direct message with them.',
  body: z.object({
    name: AskedName,
    isPrivate: z._default(z.boolean(), false),
    members: z._default(
      z
        .array(UserId)
        .check(z.maxLength(limits.firstMembers, `must have at most ${limits.firstMembers} people to begin with`)),
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
  summary: 'Change a channel of mine, or hand it over to another member (`ownerId`).',
  params: z.object({ channelId: Id }),
  body: z.object({
    name: z.optional(ChannelName),
    topic: z.optional(seenText(limits.topic, 0)),
    isPrivate: z.optional(z.boolean()),
    ownerId: z.optional(UserId),
  }),
  reply: Channel,
})

export const deleteChannel = endpoint({
  method: 'DELETE',
  path: '/api/channels/:channelId',
  summary: 'Delete a channel of mine with all that is in it.',
  params: z.object({ channelId: Id }),
  status: 204,
  reply: z.undefined(),
})

export const openDirectMessage = endpoint({
  method: 'POST',
  path: '/api/direct-messages',
  summary: 'The one conversation of exactly these people and me; 201 where it was made just now.',
  body: z.object({
    userIds: z
      .array(UserId)
      .check(
        z.minLength(1, 'must name somebody'),
        z.maxLength(limits.directOthers + 1, `must name at most ${limits.directOthers} others`),
      ),
  }),
  alsoStatus: 201,
  reply: Channel,
})
