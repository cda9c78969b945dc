import { sql, type Transaction, type UpdateObject } from 'kysely'
import type { Channel } from '#contract/channels'
import type { DB } from '../db/schema.ts'
import { audienceOf } from '../realtime/rooms.ts'
import type { Services } from '../services.ts'
import { presentChannels, selectChannels } from './channel-rows.ts'
import { bumpRev } from './revision.ts'

/** Changes a locked channel's own columns under its next revision. A new owner is no longer a named poster. */
export async function updateLockedChannel(
  services: Services,
  tx: Transaction<DB>,
  channelId: string,
  to: UpdateObject<DB, 'channels'>,
): Promise<Channel> {
  const isOwned = typeof to.ownerId === 'string'
  await bumpRev(tx, channelId, { ...to, ...(isOwned && { posters: sql`array_remove(posters, ${to.ownerId})` }) })
  return readChannelWithoutViewer(services, tx, channelId)
}

/** A channel as the transaction sees it, without any viewer's cursor. */
export async function readChannelWithoutViewer(
  services: Services,
  tx: Transaction<DB>,
  channelId: string,
): Promise<Channel> {
  const row = await selectChannels(tx, '').where('channels.id', '=', channelId).executeTakeFirstOrThrow()
  const [channel] = await presentChannels(services, [row])
  return channel as Channel
}

export function publishChannel({ publish }: Services, channel: Channel) {
  publish(audienceOf(channel.id, channel.kind === 'public'), 'channel:updated', channel)
}
