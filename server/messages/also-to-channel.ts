import type { Transaction } from 'kysely'
import { quoteOf } from '#contract/quotes'
import type { DB } from '../db/schema.ts'
import { mailTexts } from '../mail/mail-texts.ts'
import { channelRoom } from '../realtime/rooms.ts'
import type { Services } from '../services.ts'
import { keepUnread, publishCursor, readUnread } from './keep-unread.ts'
import type { Mentions } from './mentions.ts'
import { type MessageRow, presentMessage } from './message-rows.ts'
import { storeMessage } from './store-messages.ts'

/** A message in a channel that quotes a reply. */
export interface QuoteInChannel {
  message: MessageRow
  /** Whether its author has not read what came before it: they were in the thread. */
  isBehind: boolean
}

/**
 * Quotes a reply in its channel, in the name of its author, so that the channel shows the reply as it is. The channel is locked.
 * @param mentions of the reply: it notifies its people by itself, but `@channel` only those in the thread
 * @throws AppError 403 if its author may not post there
 */
export async function quoteInChannel(
  tx: Transaction<DB>,
  { id, channelId, userId }: MessageRow,
  mentions: Mentions | null,
): Promise<QuoteInChannel> {
  const author = tx.selectFrom('users').select('language').where('id', '=', userId)
  const { t } = mailTexts((await author.executeTakeFirst())?.language)
  const place = { userId, channelId, threadId: null }
  const content = quoteOf({ channelId, messageId: id }, t('messages.quote.replyLabel'))
  const toAll = mentions?.broadcast ? { ...mentions, mentions: [], groups: [], byKeyword: [] } : null
  const unread = await readUnread(tx, place)
  const { message } = await storeMessage(tx, { channelId, userId, content, clientId: null, mentions: toAll })
  return { message, isBehind: await keepUnread(tx, place, unread) }
}

export async function publishQuote(services: Services, { message, isBehind }: QuoteInChannel) {
  const { people, publish } = services
  const { channelId, userId } = message
  if (isBehind) await publishCursor(services, { userId, channelId, threadId: null })
  publish(channelRoom(channelId), 'message:created', await presentMessage(people, message))
}
