import { sql, type Transaction } from 'kysely'
import type { DB } from '../db/schema.ts'
import { fold } from '../text/fold.ts'

interface SearchableMessage {
  id: string
  channelId: string
  content: string
}

/** Writes down what a message says now, for search; what it said before is forgotten. */
export const writeSearchText = (tx: Transaction<DB>, { id, channelId, content }: SearchableMessage) =>
  tx
    .insertInto('message_search')
    .values({ messageId: id, channelId, text: fold(content) })
    .onConflict((it) =>
      // What stands in no block yet is looked at anew by everyone.
      it.column('messageId').doUpdateSet({ text: sql`excluded.text`, block: null }),
    )
    .execute()

export const deleteSearchText = (tx: Transaction<DB>, messageId: string) =>
  tx.deleteFrom('message_search').where('messageId', '=', messageId).execute()
