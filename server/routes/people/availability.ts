import type { FastifyInstance } from 'fastify'
import { type Availability, getAvailability, setAvailability } from '#contract/availability'
import { databaseTime } from '../../db/clock.ts'
import { invalidField } from '../../errors.ts'
import { isWithinYear, lockAvailability, shownAvailability, withChoice } from '../../people/availability.ts'
import { route } from '../../route.ts'

/** The user's own availability: away, do not disturb or invisible. */
export default async function availability(app: FastifyInstance) {
  const { db, pollSoon, presence } = app

  route(app, getAvailability, async ({ me }) => {
    const held = await db
      .selectFrom('users')
      .select(['availability', 'quietUntil', 'statusQuietUntil'])
      .where('id', '=', me)
      .executeTakeFirstOrThrow()
    const isStatusQuiet = held.quietUntil !== null && Date.parse(held.statusQuietUntil ?? '') > databaseTime()
    return { ...shownAvailability(held, databaseTime()), isStatusQuiet } as Availability
  })

  route(app, setAvailability, async ({ body: { availability, until = null }, me }) => {
    if (availability === 'quiet' && (until === null || !isWithinYear(until)))
      throw invalidField('until', 'errors.notAnEnd')
    const chosen = await db.transaction().execute(async (tx) => {
      const { nowMs, ...held } = await lockAvailability(tx, me)
      const next = withChoice(held, availability, until && new Date(until).toISOString(), nowMs)
      await tx.updateTable('users').set(next).where('id', '=', me).execute()
      return shownAvailability(next, nowMs)
    })
    // The other nodes follow within milliseconds, and all publish to their sockets.
    presence.setInvisible(me, availability === 'invisible')
    pollSoon()
    return chosen as Availability
  })
}
