import type { FastifyInstance } from 'fastify'
import { problem } from '#contract/errors'
import { ASSISTANT } from '#contract/ids'
import { blockPerson, listBlocks, unblockPerson } from '#contract/moderation'
import { isKnownTo } from '../../access/readable-channels.ts'
import { invalid, notFound } from '../../errors.ts'
import { route } from '../../route.ts'

/** People whose direct messages a user does not want. Only the user can see the list. */
export default async function blocks(app: FastifyInstance) {
  const { db } = app

  route(app, listBlocks, ({ me }) =>
    db
      .selectFrom('blocks')
      .innerJoin('users', 'users.id', 'blocks.blockedId')
      .select(['users.id', 'username', 'name'])
      .where('blocks.userId', '=', me)
      .orderBy('username')
      .execute(),
  )

  route(app, blockPerson, async ({ params: { userId }, me }) => {
    if (userId === me || userId === ASSISTANT)
      throw invalid('errors.notBlockable', { userId: problem('errors.invalidInput') })
    const known = db.selectFrom('users').select('id').where('id', '=', userId).where(isKnownTo(me, 'users.id'))
    if (!(await known.executeTakeFirst())) throw notFound('errors.userNotFound')
    await db
      .insertInto('blocks')
      .values({ userId: me, blockedId: userId })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return undefined
  })

  route(app, unblockPerson, async ({ params: { userId }, me }) => {
    await db.deleteFrom('blocks').where('userId', '=', me).where('blockedId', '=', userId).execute()
    return undefined
  })
}
