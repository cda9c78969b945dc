import type { FastifyInstance } from 'fastify'
import {
  changeKeywords,
  getNotificationSettings,
  setChannelLevel,
  setNotificationSettings,
} from '#contract/notifications'
import { isTimeZone } from '#contract/time-zones'
import { memberChannel } from '../../access/access.ts'
import { invalidField } from '../../errors.ts'
import { changeOwnKeywords } from '../../people/keywords.ts'
import { readNotificationSettings } from '../../people/notification-levels.ts'
import { saveSchedule } from '../../people/notification-schedule.ts'
import { userRoom } from '../../realtime/rooms.ts'
import { route } from '../../route.ts'

/** What notifies me and when: my default for channels, what I chose for one conversation, and my schedule. */
export default async function notificationSettings(app: FastifyInstance) {
  const { db, doors, keywords, pollSoon, publish } = app

  route(app, getNotificationSettings, ({ me }) => readNotificationSettings(db, me))

  route(app, setNotificationSettings, async ({ body: { level, schedule }, me }) => {
    if (schedule && !isTimeZone(schedule.timeZone)) throw invalidField('schedule.timeZone', 'errors.notATimeZone')
    const before = await readNotificationSettings(db, me)
    const isNewLevel = level !== undefined && level !== before.level
    if (!isNewLevel && schedule === undefined) return before
    const isQuietChanged = await db.transaction().execute(async (tx) => {
      // First, because it locks the user.
      const isChanged = schedule !== undefined && (await saveSchedule(tx, me, schedule))
      if (isNewLevel)
        await tx
          .insertInto('notification_settings')
          .values({ userId: me, level })
          .onConflict((row) => row.column('userId').doUpdateSet({ level }))
          .execute()
      return isChanged
    })
    publish(userRoom(me), 'notification-settings:changed', {})
    if (isQuietChanged) pollSoon()
    return readNotificationSettings(db, me)
  })

  route(app, changeKeywords, async ({ body, me }) => {
    const changed = await db.transaction().execute((tx) => changeOwnKeywords(tx, me, body))
    if (changed.isChanged) {
      keywords.set({ userId: me, keywords: changed.keywords })
      pollSoon()
      publish(userRoom(me), 'notification-settings:changed', {})
    }
    return { keywords: changed.keywords }
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
