import { sql, type Transaction } from 'kysely'
import { fold } from '#contract/fold'
import { withoutQuotes } from '#contract/quotes'
import type { DB } from '../db/schema.ts'

interface SearchableMessage {
  id: string
  channelId: string
  content: string
}

/** The text of a message as it is searched. */
export const searchTextOf = (content: string) => fold(withoutQuotes(content))

/** Inserts or replaces a message's search text. */
export const writeSearchText = (tx: Transaction<DB>, { id, channelId, content }: SearchableMessage) =>
  tx
    .insertInto('message_search')
    .values({ messageId: id, channelId, text: searchTextOf(content) })
    .onConflict((it) =>
      // Without a block it is queued for indexing; until then every search scans it.
      it.column('messageId').doUpdateSet({ text: sql`excluded.text`, block: null }),
    )
    .execute()

export const deleteSearchText = (tx: Transaction<DB>, messageId: string) =>
  tx.deleteFrom('message_search').where('messageId', '=', messageId).execute()
