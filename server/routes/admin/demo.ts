import type { FastifyInstance } from 'fastify'
import { can } from '#contract/can'
import { emptyDemo, fillDemo, getDemo } from '#contract/workspace'
import { sourceOf } from '../../audit/write-audit.ts'
import { forbidden } from '../../errors.ts'
import { roleOf } from '../../people/profiles.ts'
import { route } from '../../route.ts'

/** The demo: a new workspace filled with a week of a made-up company. */
export default async function demo(app: FastifyInstance) {
  const requireOwner = async (me: string) => {
    if (!can.runDemo({ role: await roleOf(app.db, me) })) throw forbidden()
  }

  route(app, getDemo, async ({ me }) => {
    await requireOwner(me)
    const { readDemo } = await import('../../demo/empty-demo.ts')
    return readDemo(app.db, me)
  })

  route(app, fillDemo, async ({ me, request }) => {
    await requireOwner(me)
    // Loaded when it is needed, with its words and drawings.
    const { fillDemo } = await import('../../demo/fill-demo.ts')
    const { promise: begun, resolve, reject } = Promise.withResolvers<void>()
    // It takes seconds, on a slow machine longer than a request may.
    fillDemo(app, { ownerId: me, ...sourceOf(request) }, resolve).catch((err) => {
      reject(err)
      request.log.warn({ err }, 'could not fill the workspace with the demo')
    })
    await begun
    return undefined
  })

  route(app, emptyDemo, async ({ me, request }) => {
    await requireOwner(me)
    const { emptyDemo } = await import('../../demo/empty-demo.ts')
    await emptyDemo(app, { ownerId: me, ...sourceOf(request) })
    return undefined
  })
}
