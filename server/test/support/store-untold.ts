import { openDatabase } from '../../db/database.ts'
import { createWriter } from '../../messages/writer.ts'
import type { People } from './fixture.ts'

/** Stores a message without publishing it, like a server that dies in between. */
export async function storeUntold({ app, databaseUrl }: People, channelId: string, userId: string) {
  const database = openDatabase(databaseUrl, { onError: () => {} })
  const writer = createWriter({ ...database, log: app.log, publish: async () => {}, removals: { note() {} } })
  await writer.send({ channelId, userId, content: 'untold', clientId: null })
  await database.db.destroy()
}
