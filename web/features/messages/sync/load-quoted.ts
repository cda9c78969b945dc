import DataLoader from 'dataloader'
import { limits } from '#contract/limits'
import { readMessages } from '#contract/messages'
import { call } from '../../../api-client/api.ts'

/** Within this time, the quoted messages of all rows share a request. */
const GATHER_MS = 10

const loader = new DataLoader(
  async (messageIds: readonly string[]) => {
    const messages = await call(readMessages, { body: { messageIds: [...new Set(messageIds)] } })
    return messageIds.map((id) => messages.find((message) => message.id === id) ?? null)
  },
  { cache: false, maxBatchSize: limits.messagesById, batchScheduleFn: (run) => setTimeout(run, GATHER_MS) },
)

/** Null if I cannot read the message, or it is gone. Lazy-loaded. */
export const loadQuoted = (messageId: string) => loader.load(messageId)
