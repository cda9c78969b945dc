import type { FastifyInstance } from 'fastify'
import { ASSISTANT } from '#contract/ids'
import { endWelcome, getFirstSteps } from '#contract/welcome'
import { route } from '../../route.ts'

/** The first steps of a newcomer. */
export default async function welcome(app: FastifyInstance) {
  const { db } = app

  route(app, getFirstSteps, ({ me }) =>
    db
      .selectNoFrom((row) => [
        row
          .exists(
            row
              .selectFrom('messages')
              .where('userId', '=', me)
              .where('clientId', 'is not', null)
              .where('channelId', '=', row.selectFrom('workspace').select('generalId')),
          )
          .$castTo<boolean>()
          .as('hasWritten'),
        row
          .exists(
            row
              .selectFrom('memberships')
              .innerJoin('channels', 'channels.id', 'memberships.channelId')
              .where('memberships.userId', '=', me)
              .where('channels.kind', '!=', 'direct')
              .where('channels.id', '!=', row.selectFrom('workspace').select('generalId')),
          )
          .$castTo<boolean>()
          .as('hasJoined'),
        row
          .or([
            row.exists(row.selectFrom('invites').where('createdBy', '=', me)),
            row.exists(row.selectFrom('users').where('id', 'not in', [me, ASSISTANT])),
          ])
          .$castTo<boolean>()
          .as('hasCompany'),
      ])
      .executeTakeFirstOrThrow(),
  )

  route(app, endWelcome, async ({ me }) => {
    await db.updateTable('users').set({ isWelcomed: true }).where('id', '=', me).execute()
    return undefined
  })
}
