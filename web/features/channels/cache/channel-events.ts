import type { QueryClient } from '@tanstack/react-query'
import { mapFlags } from '#contract/channel-flags'
import { directName } from '#contract/channel-name'
import type { Channel, ChannelFacts } from '#contract/channels'
import type { Payload } from '#contract/events'
import type { Message } from '#contract/messages'
import type { Profile } from '#contract/users'
import { patch, refetch } from '../../../cache/patch-query.ts'
import { advanceOnMessage, mayAffectMentions } from '../../../cache/read-cursor.ts'
import { asMeant, updateOf } from '../../../people/user-queries.ts'
import { cachedChannel, dropChannel, refetchChannel, restartListFetch } from './channel-cache.ts'
import { hasCursor } from './channel-cursor.ts'
import { allChannels, channelById } from './channel-queries.ts'
import { applyChannelRev } from './channel-revision.ts'

export function addChannel(client: QueryClient, { memberIds, ...facts }: Payload<'channel:created'>, me: string) {
  const isMember = memberIds.includes(me)
  const cursor = { lastReadSeq: 0, readVersion: 0, unread: facts.seq, mentions: 0 }
  const mine = { ...mapFlags(() => false), notificationLevel: null, ...cursor }
  const channel = { ...facts, isMember, ...(isMember && mine) }
  // The response to its creator may have arrived first.
  patch(client, allChannels.queryKey, (all) => (all[facts.id] ? all : { ...all, [facts.id]: channel }))
}

export function applyChannelUpdate(client: QueryClient, facts: ChannelFacts) {
  restartListFetch(client)
  const moved = { channelId: facts.id, rev: facts.rev }
  // A node of the previous version leaves them out.
  const lacksPosters = () => facts.posters === undefined
  applyChannelRev(client, moved, (channel) => ({ ...channel, ...facts }), lacksPosters)
}

export function applyMemberCount(
  client: QueryClient,
  { memberCount, ...moved }: { channelId: string; rev: number; memberCount: number },
) {
  applyChannelRev(client, moved, (channel) => ({ ...channel, _count: { members: memberCount } }))
}

export function applyLeft(client: QueryClient, { memberCount, userId, ...moved }: Payload<'channel:member_left'>) {
  applyChannelRev(client, moved, (channel) => ({
    ...channel,
    _count: { members: memberCount },
    ...(channel.posters && { posters: channel.posters.filter((id) => id !== userId) }),
  }))
}

export function applyJoined(client: QueryClient, { user, ...moved }: Payload<'channel:member_joined'>, me: string) {
  const { channelId } = moved
  // Events carry no personal fields. A response in flight may say that I'm not a member, because I left just before.
  const isFetching = client.isFetching({ queryKey: channelById(channelId).queryKey, exact: true }) > 0
  if (user.id === me && (isFetching || !cachedChannel(client, channelId)?.isMember))
    void refetchChannel(client, channelId)
  applyMemberCount(client, moved)
}

export function applyMessage(client: QueryClient, message: Message, me: string) {
  applyChannelRev(client, message, (channel) => ({
    ...channel,
    ...(hasCursor(channel) && advanceOnMessage(channel, asMeant(client, message, me), me)),
    // A cursor may count newer messages.
    seq: Math.max(channel.seq, message.seq),
    lastMessageAt: message.createdAt,
  }))
}

/** Applies an edited or deleted message; whether it mentioned me before is unknown. */
export function applyMessageChange(client: QueryClient, message: Message, me: string) {
  const mayBeCounted = (held: Channel) => !message.threadId && hasCursor(held) && mayAffectMentions(held, message, me)
  applyChannelRev(client, message, undefined, mayBeCounted)
}

export function applyDeleted(client: QueryClient, { channelId }: Payload<'channel:deleted'>) {
  dropChannel(client, channelId)
}

/** Changes a user in all direct messages they are in. */
function patchMember(client: QueryClient, userId: string, apply: (person: Profile) => Profile) {
  const isIn = ({ members }: Channel) => members.some(({ id }) => id === userId)
  const change = (channel: Channel) => {
    if (!isIn(channel)) return channel
    const members = channel.members
      .map((person) => (person.id === userId ? apply(person) : person))
      .sort((a, b) => (a.username < b.username ? -1 : 1))
    return { ...channel, members, name: directName(members.map(({ username }) => username)) }
  }
  patch(client, allChannels.queryKey, (all) => {
    const affected = Object.values(all).filter(isIn)
    return affected.length > 0
      ? { ...all, ...Object.fromEntries(affected.map((channel) => [channel.id, change(channel)])) }
      : all
  })
  for (const { queryKey } of client.getQueryCache().findAll({ predicate: isFacts }))
    patch(client, channelById(queryKey[1] as string).queryKey, change)
}

const isFacts = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] === 'channel' && queryKey[2] === 'facts'

export const applyMemberStatus = (client: QueryClient, { userId, ...status }: Payload<'user:status_changed'>) =>
  patchMember(client, userId, (person) => ({ ...person, isIdle: false, ...status }))

/** Applies a new name or picture. If neither changed, the user was deactivated or reactivated. */
export function applyMemberUpdate(client: QueryClient, { peopleVersion: _, ...user }: Payload<'user:updated'>) {
  const update = (person: Profile) => updateOf(person, user)
  const isUnchanged = (person: Profile) => person.id === user.id && update(person) === person
  const all = Object.values(client.getQueryData(allChannels.queryKey) ?? {})
  if (all.some(({ members }) => members.some(isUnchanged)))
    void refetch(client, { predicate: (query) => query.queryKey[0] === 'channels' || isFacts(query) })
  patchMember(client, user.id, update)
}
