import type { FastifyInstance } from 'fastify'
import { type ChannelFlag, channelFlags, flagNames } from '#contract/channel-flags'
import type { Payload } from '#contract/events'
import { memberChannel } from '../../access/access.ts'
import { userRoom } from '../../realtime/rooms.ts'
import { route } from '../../route.ts'

/** A member's own flags on a channel, such as mute. */
export default async function flags(app: FastifyInstance) {
  const { db, doors, publish } = app

  for (const flag of flagNames) {
    const { set, clear } = channelFlags[flag]
    route(app, set, ({ params, me }) => setFlag(me, params.channelId, flag, true))
    route(app, clear, ({ params, me }) => setFlag(me, params.channelId, flag, false))
  }

  async function setFlag(me: string, requestedId: string, flag: ChannelFlag, isSet: boolean) {
    const { id: channelId } = await memberChannel(doors, me, requestedId)
    await db
      .updateTable('memberships')
      .set({ [flag]: isSet })
      .where('channelId', '=', channelId)
      .where('userId', '=', me)
      .execute()
    const { event } = channelFlags[flag]
    publish(userRoom(me), event, { channelId, [flag]: isSet } as Payload<typeof event>)
    return undefined
  }
}
