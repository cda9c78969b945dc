import type { FastifyInstance, FastifyRequest } from 'fastify'
import { can } from '#contract/can'
import { problem } from '#contract/errors'
import { limits } from '#contract/limits'
import { addPoster, removePoster } from '#contract/members'
import { memberChannel } from '../../access/access.ts'
import { actAs, sourceOf, writeAudit } from '../../audit/write-audit.ts'
import { presentChannel } from '../../channels/channel-rows.ts'
import { isActiveMember } from '../../channels/memberships.ts'
import { lockChannel } from '../../channels/revision.ts'
import { publishChannel, updateLockedChannel } from '../../channels/update-channel.ts'
import { archived, forbidden, invalid, notFound } from '../../errors.ts'
import { route } from '../../route.ts'

interface Change {
  params: { channelId: string; userId: string }
  me: string
  request: FastifyRequest
}

/** Which members may post in a channel although its rule forbids it. */
export default async function posters(app: FastifyInstance) {
  const { doors, writer } = app

  route(app, addPoster, (change) => set(change, true))
  route(app, removePoster, (change) => set(change, false))

  async function set({ params: { channelId, userId }, me, request }: Change, isPoster: boolean) {
    const { id } = await memberChannel(doors, me, channelId)
    await writer.change(
      id,
      async (tx) => {
        await actAs(tx, me, sourceOf(request))
        const { posters: before, ...locked } = await lockChannel(tx, id)
        if (locked.archivedAt && locked.ownerId === me) throw archived()
        if (!can.editChannel({ id: me }, locked)) throw forbidden()
        if (before.includes(userId) === isPoster || userId === locked.ownerId) return undefined
        if (isPoster && !(await isActiveMember(tx, id, userId))) throw notFound('errors.memberNotFound')
        if (isPoster && before.length >= limits.posters)
          throw invalid(problem('errors.tooManyPosters', { max: limits.posters }))
        const others = before.filter((one) => one !== userId)
        const channel = await updateLockedChannel(app, tx, id, { posters: isPoster ? [...others, userId] : others })
        await writeAudit(tx, {
          kind: isPoster ? 'poster_added' : 'poster_removed',
          actorId: me,
          personId: userId,
          channel,
          ...sourceOf(request),
        })
        return channel
      },
      (channel) => channel && publishChannel(app, channel),
    )
    return presentChannel(app, me, id)
  }
}
