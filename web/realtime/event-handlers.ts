import type { QueryClient } from '@tanstack/react-query'
import type { Payload, ServerEvent } from '#contract/events'
import type { Message } from '#contract/messages'
import { tryUserLanguage } from '../browser/language.ts'
import { type MessageUpdate, updateFromMessage, updateFromReaction } from '../cache/message-update.ts'
import { invalidate } from '../cache/patch-query.ts'
import { followEmoji, refetchEmojiSoon } from '../emoji/custom-emoji.ts'
import { refetchChannel } from '../features/channels/cache/channel-cache.ts'
import { applyChannelRead } from '../features/channels/cache/channel-cursor.ts'
import * as channels from '../features/channels/cache/channel-events.ts'
import { applyFlags, applyLevel } from '../features/channels/cache/channel-flags.ts'
import { snapshotVersion } from '../features/channels/cache/channel-queries.ts'
import { applyChannelRev } from '../features/channels/cache/channel-revision.ts'
import { applyFirstMessage } from '../features/channels/cache/first-steps.ts'
import { sendWaiting } from '../features/messages/outbox/outbox.ts'
import { endAloud } from '../features/messages/read-aloud/read-aloud.ts'
import { applyProgress, endProgress } from '../features/messages/sync/answer-progress.ts'
import type { AuthorRenames } from '../features/messages/sync/author-renames.ts'
import type { ChannelSync } from '../features/messages/sync/channel-sync.ts'
import * as later from '../features/messages/sync/later-queries.ts'
import { applyPin, renameInPins } from '../features/messages/sync/pin-queries.ts'
import * as quoted from '../features/messages/sync/quoted-messages.ts'
import { refetchScheduled } from '../features/messages/sync/scheduled-queries.ts'
import { applyTyping, endTyping } from '../features/messages/sync/typing-events.ts'
import * as threads from '../features/threads/thread-list.ts'
import { refetchGroups } from '../people/group-queries.ts'
import * as users from '../people/user-queries.ts'
import { checkWorkspaceName, recheckSession } from '../session/session.ts'
import type { ChannelRev } from '../socket/channel-stream.ts'
import { goLive } from '../socket/first-connection.ts'
import { noteArrival, reactionKey } from '../ui/arrivals.ts'
import type { CatchUp } from './catch-up.ts'
import { recheckPictures } from './follow-pictures.ts'
import { closeRead, notifyMe } from './notify-me.ts'

/** What handlers work on besides the query cache. */
export interface Live {
  sync: ChannelSync
  /** Called with a channel's latest revision: the events that led to it may not have reached this socket. */
  announce: (latest: ChannelRev) => void
  authorRenames: AuthorRenames
  catchUp: CatchUp
  /**
   * Channels that this socket left, until a later event settles it; true once 'channel:left' arrived. Either that event is
   * the reply, or the membership ended at the same moment, and the reply is an error that names no channel.
   */
  unsettledLeaves: Map<string, boolean>
}

type Handler<E extends ServerEvent> = (client: QueryClient, payload: Payload<E>, me: string, live: Live) => unknown

const bareRev = ({ channelId, rev }: ChannelRev) => ({ channelId, rev })

/** The events that move a channel to its next revision, as updates of its messages. They are applied in order of revision. */
export const updates: { [E in ServerEvent]?: (payload: Payload<E>) => MessageUpdate } = {
  'channel:updated': ({ id, rev }) => ({ channelId: id, rev }),
  'channel:member_joined': bareRev,
  'channel:member_left': bareRev,
  'message:created': updateFromMessage,
  'message:updated': updateFromMessage,
  'message:deleted': updateFromMessage,
  'thread:message_created': updateFromMessage,
  'reaction:added': updateFromReaction,
  'reaction:removed': updateFromReaction,
}

/** The functions that apply each event to the cache, in order. An event without an entry does not compile. */
export const handlers: { [E in ServerEvent]: readonly Handler<E>[] } = {
  ready: [
    resume,
    followLanguage,
    // My rights may have changed before the connection, the first one too.
    recheckSession,
    refetchGroups,
    followEmoji,
    recheckPictures,
    later.forgetSeen,
  ],
  'channel:created': [channels.addChannel, quoted.refetchUnreadable],
  'channel:updated': [channels.applyChannelUpdate, quoted.refetchUnreadable],
  'channel:member_joined': [
    channels.applyJoined,
    users.refetchIfUnknown,
    threads.refetchIfJoined,
    later.refetchIfJoined,
    quoted.refetchIfJoined,
  ],
  // The leaving member also receives 'channel:left'.
  'channel:member_left': [channels.applyLeft],
  'channel:deleted': [channels.applyDeleted, threads.dropThreads, later.refetchSaved, quoted.forgetQuoted],
  'channel:left': [settleLeave],
  'channel:joined': [forgetSettledLeaves, announce],
  'channel:rev': [announce],
  'channel:error': [checkUnsettledLeaves],
  'channel:read': [applyChannelRead, closeRead],
  'later:changed': [later.applyLater, closeRead],
  'later:removed': [later.applyLaterRemoved, closeRead],
  'scheduled:changed': [refetchScheduled],
  'export:finished': [tellOfExport],
  'channel:muted': [applyFlags],
  'channel:favorited': [applyFlags],
  'channel:notification_level': [applyLevel],
  'notification-settings:changed': [refetchNotificationSettings],

  'message:created': [arrive, channels.applyMessage, endTyping, applyFirstMessage, notifyMe],
  'message:updated': [
    channels.applyMessageChange,
    applyPin,
    later.applyToSaved,
    quoted.applyToQuoted,
    notifyOfAnswer,
    stopReadingDeleted,
  ],
  'message:deleted': [
    channels.applyMessageChange,
    applyPin,
    later.applyToSaved,
    quoted.applyToQuoted,
    notifyOfAnswer,
    stopReadingDeleted,
  ],
  'thread:message_created': [arrive, applyRev, endTyping, applyFirstMessage, notifyMe],
  'thread:read': [threads.applyThreadRead, closeRead],
  'reaction:added': [arriveReaction, applyRev],
  'reaction:removed': [arriveReaction, applyRev],
  typing: [applyTyping],
  'assistant:progress': [(_, progress) => applyProgress(progress)],

  'user:language_changed': [followLanguage],
  'user:availability_changed': [users.applyAvailability],
  'user:status_changed': [channels.applyMemberStatus, users.applyUserStatus],
  'user:updated': [
    channels.applyMemberUpdate,
    threads.renameInThreads,
    users.applyUserUpdate,
    renameAuthor,
    renameInPins,
    later.renameInSaved,
    quoted.renameInQuoted,
    followMe,
  ],
  'permissions:changed': [refetchNotificationSettings, quoted.refetchQuoted],
  'workspace:renamed': [(_, { name }) => checkWorkspaceName(name)],
  'handover:changed': [refetchHandover],
  'groups:changed': [refetchGroups],
  'emoji:changed': [refetchEmojiSoon],
  // connection.ts renews the token.
  'auth:token_expired': [],
}

function tellOfExport(client: QueryClient, finished: Payload<'export:finished'>, me: string) {
  import('./tell-export.ts')
    .then(({ tellExport }) => tellExport(client, finished, me))
    .catch((error) => console.error('Failed to tell of an export:', error))
}

/** Mine has appeared when it was written. */
function arrive(_: QueryClient, { id, userId, channelId }: Message, me: string) {
  if (userId === me) return
  noteArrival(id)
  noteArrival(channelId)
}

function arriveReaction(_: QueryClient, reaction: Payload<'reaction:added'> | Payload<'reaction:removed'>) {
  const emoji = 'reaction' in reaction ? reaction.reaction.emoji : reaction.emoji
  noteArrival(reactionKey(reaction.messageId, emoji))
}

function resume(client: QueryClient, { epoch, peopleVersion }: Payload<'ready'>, _: string, live: Live) {
  live.unsettledLeaves.clear()
  // The version under which the first windows were fetched.
  const first = client.getQueryData(snapshotVersion.queryKey)
  if (first) live.authorRenames.begin(first.peopleVersion)
  void live.catchUp.run({ epoch, peopleVersion })
  goLive()
  live.authorRenames.resume(peopleVersion)
  live.sync.resume(epoch)
  sendWaiting()
}

/** Follows a choice in another tab or on another device. */
function followLanguage(_: QueryClient, { language }: Payload<'user:language_changed'>) {
  void tryUserLanguage(language)
}

/** Refetches whether I am asked to take over the workspace or, for the owner, the state of the handover. */
function refetchHandover(client: QueryClient) {
  void invalidate(client, { queryKey: ['handover'] })
  recheckSession()
}

/** The session has the level of channels for which I chose none. */
function refetchNotificationSettings(client: QueryClient) {
  void invalidate(client, { queryKey: ['notification-settings'] })
  recheckSession()
}

/** My role may have changed, or my name on another device. */
function followMe(_: QueryClient, { id }: Payload<'user:updated'>, me: string) {
  if (id === me) recheckSession()
}

function announce(_: QueryClient, latest: ChannelRev, __: string, live: Live) {
  live.announce(latest)
}

function applyRev(client: QueryClient, { channelId, rev }: ChannelRev) {
  applyChannelRev(client, { channelId, rev })
}

/** Notifies of an answer when it is complete. */
function notifyOfAnswer(client: QueryClient, message: Message, me: string) {
  if (endProgress(message)) void notifyMe(client, message, me)
}

function stopReadingDeleted(_: QueryClient, message: Message) {
  endAloud(message)
}

function renameAuthor(_: QueryClient, person: Payload<'user:updated'>, __: string, { authorRenames }: Live) {
  authorRenames.rename(person)
}

function settleLeave(
  client: QueryClient,
  { channelId }: Payload<'channel:left'>,
  _: string,
  { unsettledLeaves }: Live,
) {
  if (unsettledLeaves.get(channelId) === false) return void unsettledLeaves.set(channelId, true)
  unsettledLeaves.delete(channelId)
  later.refetchSaved(client)
  quoted.forgetQuoted(client, { channelId })
  // The state of a thread depends on whether I am still in its channel.
  void refetchChannel(client, channelId).then(() => threads.refetchThreads(client))
}

function forgetSettledLeaves(_: QueryClient, __: Payload<'channel:joined'>, ___: string, { unsettledLeaves }: Live) {
  for (const [channelId, hasLeft] of unsettledLeaves) if (hasLeft) unsettledLeaves.delete(channelId)
}

/** A channel that cannot be left can no longer be read. */
function checkUnsettledLeaves(
  client: QueryClient,
  { error }: Payload<'channel:error'>,
  _: string,
  { unsettledLeaves }: Live,
) {
  console.error('Channel error:', error)
  for (const channelId of unsettledLeaves.keys()) void refetchChannel(client, channelId)
  unsettledLeaves.clear()
}
