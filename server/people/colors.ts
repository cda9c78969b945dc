import { sql } from 'kysely'
import { ASSISTANT } from '#contract/ids'
import type { Db } from '../db/database.ts'
import { bumpPeopleVersion } from './deactivate.ts'

/** As in the trigger that assigns them (0069), and in `web/ui/person-color.ts`. */
const COLOR_COUNT = 30
const BATCH_SIZE = 1000

/** Gives everyone from before people had colours the least used one, in the order in which they joined. */
export async function fillColors(db: Db) {
  while ((await peopleWithout(db)).length > 0) await fillBatch(db)
}

const peopleWithout = (db: Pick<Db, 'selectFrom'>) =>
  db
    .selectFrom('users')
    .select(['id', 'erasedAt'])
    .where('color', 'is', null)
    .where('id', '<>', ASSISTANT)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(BATCH_SIZE)
    .execute()

const fillBatch = (db: Db) =>
  db.transaction().execute(async (tx) => {
    await bumpPeopleVersion(tx)
    const people = await peopleWithout(tx)
    const uses = Array.from({ length: COLOR_COUNT }, () => 0)
    const counted = tx
      .selectFrom('users')
      .select(['color', ({ fn }) => fn.countAll<string>().as('uses')])
      .where('color', 'is not', null)
      .where('erasedAt', 'is', null)
      .groupBy('color')
    for (const row of await counted.execute()) uses[row.color as number] = Number(row.uses)
    const colors = people.map(({ erasedAt }) => {
      const color = uses.indexOf(Math.min(...uses))
      if (erasedAt === null) uses[color] = (uses[color] ?? 0) + 1
      return color
    })
    await sql`
      update users set color = given.color
      from unnest(${people.map(({ id }) => id)}::text[], ${colors}::smallint[]) as given(id, color)
      where users.id = given.id and users.color is null
    `.execute(tx)
  })
