import type { FastifyInstance } from 'fastify'
import { problem } from '#contract/errors'
import { limits } from '#contract/limits'
import { speakMessage } from '#contract/speech'
import { spokenText } from '#contract/spoken-text'
import { readableMessage } from '../../access/access.ts'
import { speak } from '../../assistant/speech.ts'
import { conflict, notFound, rateLimited } from '../../errors.ts'
import { withDeadline } from '../../http/deadline.ts'
import { onceClosed } from '../../http/once-closed.ts'
import { countAttempt } from '../../limits/attempts.ts'
import { byteRoute } from '../../route.ts'

const HOUR_SECONDS = 3600

/** Reads messages aloud to users who may read them. The provider's key never leaves the server. */
export default async function speech(app: FastifyInstance) {
  const { config, db } = app

  byteRoute(app, speakMessage, async ({ params: { messageId }, me, request, reply }) => {
    const { text, provider } = await withDeadline(prepare(me, messageId))
    const disconnected = new AbortController()
    onceClosed(reply.raw, () => disconnected.abort())
    const audio = await speak(provider, text, request.log, disconnected.signal)
    return reply.type('audio/mpeg').send(audio)
  })

  /** Checks access and quota. Returns the text and the provider that speaks it. */
  async function prepare(me: string, messageId: string) {
    const message = await db
      .selectFrom('messages')
      .select(['content', 'deletedAt'])
      .where('id', '=', messageId)
      .executeTakeFirst()
    // Checked after the read: a removed user must not get an edit made after the removal.
    await readableMessage(app, me, messageId)
    const provider = config.speech
    if (!provider) throw conflict('no_speech', 'errors.noSpeech')
    if (!message || message.deletedAt) throw notFound('errors.messageNotFound')
    const text = spokenText(message.content).slice(0, limits.spoken).toWellFormed()
    if (text === '') throw conflict('nothing_to_say', 'errors.nothingToSay')
    const { allowed, retryAfter } = await countAttempt(db, `speech ${me}`, {
      window: HOUR_SECONDS,
      max: provider.quota,
    })
    if (!allowed) throw rateLimited(retryAfter, problem('errors.speechQuota', { count: provider.quota }))
    return { text, provider }
  }
}
