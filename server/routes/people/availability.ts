import type { FastifyInstance } from 'fastify'
import { type Availability, getAvailability, setAvailability } from '#contract/availability'
import { databaseTime } from '../../db/clock.ts'
import { invalidField } from '../../errors.ts'
import { isWithinYear } from '../../people/availability.ts'
import { route } from '../../route.ts'

/** The user's own availability: away, do not disturb or invisible. */
export default async function availability(app: FastifyInstance) {
  const { db, pollSoon, presence } = app

  route(app, getAvailability, async ({ me }) => {
    const { availability, quietUntil } = await db
      .selectFrom('users')
      .select(['availability', 'quietUntil'])
      .where('id', '=', me)
      .executeTakeFirstOrThrow()
    const isOver = availability === 'quiet' && quietUntil !== null && Date.parse(quietUntil) <= databaseTime()
    const chosen: Availability = { availability: availability as Availability['availability'], quietUntil }
    const over: Availability = { availability: 'active', quietUntil: null }
    return isOver ? over : chosen
  })

  route(app, setAvailability, async ({ body: { availability, until = null }, me }) => {
    const quietUntil = availability === 'quiet' ? until : null
    if (availability === 'quiet' && (quietUntil === null || !isWithinYear(quietUntil)))
      throw invalidField('until', 'errors.notAnEnd')
    await db.updateTable('users').set({ availability, quietUntil }).where('id', '=', me).execute()
    // The other nodes follow within milliseconds, and all publish to their sockets.
    presence.setInvisible(me, availability === 'invisible')
    pollSoon()
    return { availability, quietUntil }
  })
}
