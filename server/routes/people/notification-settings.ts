import type { FastifyInstance } from 'fastify'
import { getNotificationSettings, setChannelLevel, setNotificationSettings } from '#contract/notifications'
import { memberChannel } from '../../access/access.ts'
import { readNotificationSettings } from '../../people/notification-levels.ts'
import { userRoom } from '../../realtime/rooms.ts'
import { route } from '../../route.ts'

/** What notifies me: my default for channels, and what I chose for one conversation. */
export default async function notificationSettings(app: FastifyInstance) {
  const { db, doors, publish } = app

  route(app, getNotificationSettings, ({ me }) => readNotificationSettings(db, me))

  route(app, setNotificationSettings, async ({ body: { level }, me }) => {
    const before = await readNotificationSettings(db, me)
    if (level === before.level) return before
    await db
      .insertInto('notification_settings')
      .values({ userId: me, level })
      .onConflict((row) => row.column('userId').doUpdateSet({ level }))
      .execute()
    publish(userRoom(me), 'notification-settings:changed', {})
    return { ...before, level }
  })

  route(app, setChannelLevel, async ({ params, body: { level }, me }) => {
    const { id: channelId } = await memberChannel(doors, me, params.channelId)
    const { numUpdatedRows } = await db
      .updateTable('memberships')
      .set({ notificationLevel: level })
      .where('channelId', '=', channelId)
      .where('userId', '=', me)
      .where('notificationLevel', 'is distinct from', level)
      .executeTakeFirst()
    if (numUpdatedRows > 0n)
      publish(userRoom(me), 'channel:notification_level', { channelId, notificationLevel: level })
    return undefined
  })
}
