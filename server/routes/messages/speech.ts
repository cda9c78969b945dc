import type { FastifyInstance } from 'fastify'
import { limits } from '#contract/limits'
import { speakMessage } from '#contract/speech'
import { spokenText } from '#contract/spoken-text'
import { readableMessage } from '../../access/access.ts'
import { speak } from '../../assistant/speech.ts'
import { AppError, conflict, notFound } from '../../errors.ts'
import { withDeadline } from '../../http/deadline.ts'
import { onceClosed } from '../../http/once-closed.ts'
import { countAttempt } from '../../limits/attempts.ts'
import { byteRoute } from '../../route.ts'

const HOUR = 3600

/** Messages as sound, for those who read them; the provider's key stays here. */
export default async function speech(app: FastifyInstance) {
  const { config, db } = app

  byteRoute(app, speakMessage, async ({ params: { messageId }, me, request, reply }) => {
    const { text, provider } = await withDeadline(ask(me, messageId))
    const gone = new AbortController()
    onceClosed(reply.raw, () => gone.abort())
    const sound = await speak(provider, text, request.log, gone.signal)
    return reply.type('audio/mpeg').send(sound)
  })

  /** What is to be said, and by whom. */
  async function ask(me: string, messageId: string) {
    const message = await db
      .selectFrom('messages')
      .select(['content', 'deletedAt'])
      .where('id', '=', messageId)
      .executeTakeFirst()
    // Asked afterwards: what it was changed to after somebody was removed is not theirs.
    await readableMessage(app, me, messageId)
    const provider = config.speech
    if (!provider) throw conflict('no_speech', 'No speech provider is configured; your browser may have voices')
    if (!message || message.deletedAt) throw notFound('Message')
    const text = spokenText(message.content).slice(0, limits.spoken).toWellFormed()
    if (text === '') throw conflict('nothing_to_say', 'This message has nothing to read aloud')
    const { allowed, retryAfter } = await countAttempt(db, `speech ${me}`, { window: HOUR, max: provider.quota })
    if (!allowed)
      throw new AppError(
        429,
        'rate_limited',
        `You have listened to ${provider.quota} messages within an hour; try again later`,
        {
          retryAfter,
        },
      )
    return { text, provider }
  }
}
