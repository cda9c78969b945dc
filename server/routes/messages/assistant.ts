import type { FastifyInstance } from 'fastify'
import { getAssistant, stopAnswer } from '#contract/assistant'
import { can } from '#contract/can'
import { memberMessage } from '../../access/access.ts'
import { findAnswer, requestStop } from '../../assistant/answers.ts'
import { forbidden } from '../../errors.ts'
import { roleOf } from '../../people/profiles.ts'
import { route } from '../../route.ts'

/** The assistant's capabilities on this server, and stopping an answer. Questions are ordinary messages. */
export default async function assistant(app: FastifyInstance) {
  const { config, db } = app

  route(app, getAssistant, async () => ({
    model: config.assistant.model !== undefined,
    speech: config.speech !== undefined,
  }))

  route(app, stopAnswer, async ({ body: { messageId }, me }) => {
    const { channel } = await memberMessage(app, me, messageId)
    const answer = await findAnswer(app, messageId)
    if (!answer) return undefined
    if (!can.stopAnswer({ id: me, role: await roleOf(db, me) }, answer.askedBy, channel)) throw forbidden()
    await requestStop(app, messageId)
    app.assistant.stop(messageId)
    return undefined
  })
}
