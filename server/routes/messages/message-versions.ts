import type { FastifyInstance } from 'fastify'
import { limits } from '#contract/limits'
import { listVersions } from '#contract/message-versions'
import { readableChannel, readableMessage } from '../../access/access.ts'
import { notFound } from '../../errors.ts'
import { keepsVersions, readVersions } from '../../messages/message-versions.ts'
import { route } from '../../route.ts'

export default async function messageVersions(app: FastifyInstance) {
  const { db, doors, turns } = app

  route(app, listVersions, async ({ params: { messageId }, query: { before }, me }) => {
    const { channel } = await readableMessage(app, me, messageId)
    if (!(await keepsVersions(db))) throw notFound('errors.noEditHistory')
    return turns(me, async () => {
      const found = await readVersions(db, messageId, { before, limit: limits.versions.page + 1 })
      if (found.length === 0 && before === undefined) throw notFound('errors.messageDeleted')
      // Checked after the read: a removed user must not see what was written after the removal.
      await readableChannel(doors, me, channel.id)
      const versions = found.slice(0, limits.versions.page)
      const next = found.length > versions.length ? (versions.at(-1)?.number ?? null) : null
      return { versions, next }
    })
  })
}
