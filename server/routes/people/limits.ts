import type { FastifyInstance } from 'fastify'
import { sql, type Transaction } from 'kysely'
import { can } from '#contract/can'
import { mutePerson, setGuestEnd, unmutePerson } from '#contract/moderation'
import type { Role } from '#contract/roles'
import { actAs, sourceOf, writeAudit } from '../../audit/write-audit.ts'
import { lockActiveUsers } from '../../channels/memberships.ts'
import type { DB } from '../../db/schema.ts'
import { forbidden, notFound, unauthenticated } from '../../errors.ts'
import { bumpPeopleVersion } from '../../people/deactivate.ts'
import { type HandlerInput, route } from '../../route.ts'

interface Person {
  id: string
  role: Role
  mutedUntil: string | null
}

/** Mutes, and the time of guests. Every node notifies the clients of the person concerned. */
export default async function limits(app: FastifyInstance) {
  const { db, pollSoon } = app

  route(app, mutePerson, (input) =>
    change(input, async (tx, me, person) => {
      if (!can.mute(me, person)) throw forbidden()
      const { hours } = input.body
      const mutedUntil = sql<string>`clock_timestamp() + make_interval(hours => ${hours})`
      await tx.updateTable('users').set({ mutedUntil }).where('id', '=', person.id).execute()
      return { kind: 'person_muted' as const, details: { hours } }
    }),
  )

  route(app, unmutePerson, (input) =>
    change(input, async (tx, me, person) => {
      if (!can.mute(me, person)) throw forbidden()
      if (person.mutedUntil === null) return undefined
      await tx.updateTable('users').set({ mutedUntil: null }).where('id', '=', person.id).execute()
      return { kind: 'person_unmuted' as const, details: {} }
    }),
  )

  route(app, setGuestEnd, (input) =>
    change(input, async (tx, me, person) => {
      if (!can.deactivate(me, person) || person.role !== 'guest') throw forbidden()
      const { days } = input.body
      const guestUntil = sql<string>`clock_timestamp() + make_interval(days => ${days})`
      await tx.updateTable('users').set({ guestUntil, deactivatedAt: null }).where('id', '=', person.id).execute()
      return { kind: 'guest_end_changed' as const, details: { days } }
    }),
  )

  async function change(
    { params, me, request }: HandlerInput<typeof unmutePerson>,
    act: (
      tx: Transaction<DB>,
      me: Person,
      person: Person,
    ) => Promise<
      { kind: 'person_muted' | 'person_unmuted' | 'guest_end_changed'; details: Record<string, number> } | undefined
    >,
  ) {
    await db.transaction().execute(async (tx) => {
      await actAs(tx, me, sourceOf(request))
      await bumpPeopleVersion(tx)
      if ((await lockActiveUsers(tx, [me])).size === 0) throw unauthenticated()
      const [mine, person] = [await readOne(tx, me), await readOne(tx, params.userId)]
      const line = await act(tx, mine, person)
      if (line) await writeAudit(tx, { ...line, actorId: me, personId: person.id, ...sourceOf(request) })
    })
    pollSoon()
    return undefined
  }
}

async function readOne(tx: Transaction<DB>, userId: string): Promise<Person> {
  const found = tx.selectFrom('users').select(['id', 'role', 'mutedUntil']).where('id', '=', userId)
  const person = await found.where('erasedAt', 'is', null).executeTakeFirst()
  if (!person) throw notFound('errors.userNotFound')
  return { ...person, role: person.role as Role }
}
