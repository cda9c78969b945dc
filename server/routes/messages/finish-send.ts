import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Message } from '#contract/messages'
import { languagesIn } from '../../mail/mail-texts.ts'
import { presentMessage } from '../../messages/message-rows.ts'
import type { SendResult } from '../../messages/store-messages.ts'

/** The last step of every call that sends a message. A repeated send returns the stored message with status 200. */
export function finishSend(
  { assistant, linkPreviews, people }: FastifyInstance,
  reply: FastifyReply,
  { message, isNew }: SendResult,
): Promise<Message> {
  assistant.onMessage(message, languagesIn(reply.request.headers['accept-language']))
  if (isNew) linkPreviews.onMessage(message, reply.request.caller.origins)
  else reply.status(200)
  return presentMessage(people, message)
}
