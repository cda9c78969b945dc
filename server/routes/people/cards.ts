import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { can } from '#contract/can'
import {
  getPersonCard,
  listProfileFields,
  type PersonCard,
  type ProfileField,
  setProfileFields,
  updateMyCard,
} from '#contract/person-cards'
import type { Role } from '#contract/roles'
import { isTimeZone } from '#contract/time-zones'
import { isKnownTo } from '../../access/readable-channels.ts'
import { sourceOf, writeAudit } from '../../audit/write-audit.ts'
import { newId } from '../../db/ids.ts'
import { forbidden, invalidField, notFound } from '../../errors.ts'
import { roleOf } from '../../people/profiles.ts'
import { route } from '../../route.ts'

/** People's profiles, in fields defined by the workspace's owner. */
export default async function cards(app: FastifyInstance) {
  const { db } = app

  const readFields = async () =>
    (await db.selectFrom('workspace').select('profileFields').executeTakeFirstOrThrow())
      .profileFields as unknown as ProfileField[]

  /** @throws AppError 404 for people that a guest doesn't know, as for unknown ones */
  async function readCard(me: string, userId: string): Promise<PersonCard> {
    const person = await db
      .selectFrom('users')
      .select(['role', 'timeZone', 'choseTimeZone', 'profile'])
      .where('id', '=', userId)
      .where(isKnownTo(me, 'users.id'))
      .executeTakeFirst()
    if (!person) throw notFound('errors.userNotFound')
    const isMine = userId === me
    const values = person.profile as Record<string, string>
    const fields = (await readFields()).map((field) => ({ ...field, value: values[field.id] ?? '' }))
    return {
      role: person.role as Role,
      timeZone: person.timeZone,
      ...(isMine && { choseTimeZone: person.choseTimeZone }),
      fields: isMine ? fields : fields.filter(({ value }) => value !== ''),
    }
  }

  route(app, getPersonCard, ({ params, me }) => readCard(me, params.userId))

  route(app, updateMyCard, async ({ body: { values, timeZone, choseTimeZone }, me }) => {
    if (timeZone !== undefined && !isTimeZone(timeZone)) throw invalidField('timeZone', 'errors.notATimeZone')
    if (values) {
      const known = new Set((await readFields()).map(({ id }) => id))
      const kept = Object.fromEntries(Object.entries(values).filter(([id]) => known.has(id)))
      await db
        .updateTable('users')
        .set({ profile: sql`profile || ${JSON.stringify(kept)}::jsonb` })
        .where('id', '=', me)
        .execute()
    }
    if (timeZone !== undefined) {
      let update = db.updateTable('users').where('id', '=', me)
      // A time zone recorded by the browser doesn't replace a chosen one.
      if (choseTimeZone === undefined) update = update.where('choseTimeZone', '=', false)
      await update.set({ timeZone, ...(choseTimeZone !== undefined && { choseTimeZone }) }).execute()
    }
    return readCard(me, me)
  })

  route(app, listProfileFields, readFields)

  route(app, setProfileFields, async ({ body, me, request }) => {
    if (!can.setProfileFields({ role: await roleOf(db, me) })) throw forbidden()
    return db.transaction().execute(async (tx) => {
      const { profileFields } = await tx
        .selectFrom('workspace')
        .select('profileFields')
        .forUpdate()
        .executeTakeFirstOrThrow()
      const before = new Map((profileFields as unknown as ProfileField[]).map((field) => [field.id, field]))
      const fields: ProfileField[] = []
      for (const { id, label } of body.fields) {
        const held = id === undefined ? undefined : before.get(id)
        if (id !== undefined && (!held || fields.some((field) => field.id === id)))
          throw invalidField('fields', 'errors.notAnId')
        // Only built-in fields have a name without a label.
        if (label === null && held?.label !== null) throw invalidField('fields', 'errors.required')
        fields.push({ id: id ?? newId(), label })
      }
      await tx
        .updateTable('workspace')
        .set({ profileFields: JSON.stringify(fields) })
        .execute()
      const gone = [...before.keys()].filter((id) => fields.every((field) => field.id !== id))
      if (gone.length > 0)
        await sql`update users set profile = profile - ${gone}::text[] where profile ?| ${gone}::text[]`.execute(tx)
      await writeAudit(tx, {
        kind: 'profile_fields_changed',
        actorId: me,
        details: { count: fields.length },
        ...sourceOf(request),
      })
      return fields
    })
  })
}
