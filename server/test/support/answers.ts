import { expect } from 'vitest'
import { PENDING_CONTENT } from '#contract/assistant'
import type { Message } from '#contract/messages'
import type { Person } from './parley.ts'

/** A person's direct conversation with the assistant. */
export const talkOf = async (person: Person): Promise<string> =>
  (await person.post('/api/direct-messages', { userIds: ['assistant-bot'] })).body.id

/** The assistant's answer to a question, finished or not. */
export async function findAnswer(person: Person, { id, channelId }: Message): Promise<Message | undefined> {
  const inTalk = (await person.get(`/api/messages/channel/${channelId}`)).body
  const inThread = (await person.get(`/api/threads/${id}/messages`)).body
  return [...inTalk, ...inThread].find((it) => it.clientId === `answer ${id}`)
}

/** The finished answer. */
export async function answerTo(person: Person, question: Message): Promise<Message> {
  const isAnswered = async () => ((await findAnswer(person, question))?.content ?? PENDING_CONTENT) !== PENDING_CONTENT
  await expect.poll(isAnswered).toBe(true)
  return (await findAnswer(person, question)) as Message
}

/** Asks the assistant, and returns the text of its answer. */
export const ask = async (person: Person, channelId: string, content: string) =>
  (await answerTo(person, await person.say(channelId, content))).content
