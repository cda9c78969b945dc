import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { getHealth, listSettings, listStorage, type StorageEntry } from '#contract/administration'
import { can } from '#contract/can'
import { PUBLIC_FILES } from '#contract/channel-name'
import { shownSettings } from '../../config/shown-settings.ts'
import { readLiveNodes } from '../../db/live-nodes.ts'
import { forbidden } from '../../errors.ts'
import { VERSION } from '../../installation.ts'
import { roleOf } from '../../people/profiles.ts'
import { route } from '../../route.ts'

/** For administrators: the server's health, storage use and settings. */
export default async function administration(app: FastifyInstance) {
  const { bus, config, db } = app
  const startedAt = new Date().toISOString()

  async function requireAdmin(me: string) {
    const role = await roleOf(db, me)
    if (!can.manageWorkspace({ role })) throw forbidden()
    return role
  }

  route(app, getHealth, async ({ me }) => {
    await requireAdmin(me)
    const database = await sql<{ version: string; bytes: number }>`
      select current_setting('server_version') as version, pg_database_size(current_database())::float8 as bytes
    `.execute(db)
    const files = await db
      .selectFrom('storage_use')
      .select([
        sql<number>`coalesce(sum(bytes), 0)::float8`.as('bytes'),
        sql<number>`coalesce(sum(files), 0)::float8`.as('count'),
      ])
      .where('kind', '=', 'person')
      .executeTakeFirstOrThrow()
    const { backedUpAt } = await db.selectFrom('workspace').select('backedUpAt').executeTakeFirstOrThrow()
    const mails = await db
      .selectFrom('mails')
      .select([
        sql<number>`count(*) filter (where "failedAt" is null)::int`.as('waiting'),
        sql<number>`count(*) filter (where "failedAt" is not null)::int`.as('failed'),
        sql<string | null>`(array_agg(error order by "dueAt" desc) filter (where error is not null))[1]`.as(
          'lastError',
        ),
      ])
      .executeTakeFirstOrThrow()
    const running = await readLiveNodes(db)
    return {
      version: VERSION,
      startedAt,
      database: database.rows[0] ?? { version: '', bytes: 0 },
      certificate: (await app.tls?.health()) ?? null,
      nodes: { running: Math.max(running.length, 1), heard: bus.peers().length },
      bus: config.redisUrl ? ('redis' as const) : ('database' as const),
      files: { place: config.s3 ? ('s3' as const) : ('disk' as const), ...files },
      backups: { isScheduled: Boolean(config.backup.place && config.backup.everyMs), lastAt: backedUpAt },
      mail: { isSent: config.mail !== undefined, ...mails },
    }
  })

  route(app, listSettings, async ({ me }) => {
    await requireAdmin(me)
    return shownSettings(config)
  })

  route(app, listStorage, async ({ query: { by, cursor, limit }, me }) => {
    const role = await requireAdmin(me)
    const { listsPrivateChannels } = await db
      .selectFrom('workspace')
      .select('listsPrivateChannels')
      .executeTakeFirstOrThrow()
    const kinds = role === 'owner' && listsPrivateChannels ? ['public', 'private'] : ['public']
    // Doesn't even join the names of channels that they may not know.
    const used = db
      .selectFrom('storage_use')
      .leftJoin('users', (join) => join.onRef('users.id', '=', 'storage_use.id').on('storage_use.kind', '=', 'person'))
      .leftJoin('channels', (join) =>
        join
          .on(sql<boolean>`channels.id::text = storage_use.id`)
          .on('storage_use.kind', '=', 'channel')
          .on('channels.kind', 'in', kinds)
          .on('channels.deletedAt', 'is', null),
      )
      .where('storage_use.kind', '=', by)
      .where('storage_use.files', '>', 0)
    const [bytes = '', ...rest] = cursor?.split('_') ?? []
    const page = await used
      .select(['storage_use.id', 'storage_use.files'])
      .select(sql<number>`storage_use.bytes::float8`.as('bytes'))
      .select(sql<string>`coalesce(users.name, channels.name)`.as('name'))
      .where((row) => row.or([row('users.id', 'is not', null), row('channels.id', 'is not', null)]))
      .$if(cursor !== undefined, (query) =>
        query.where(
          sql<boolean>`(storage_use.bytes < ${bytes}::bigint or (storage_use.bytes = ${bytes}::bigint and storage_use.id > ${rest.join('_')}))`,
        ),
      )
      .orderBy('storage_use.bytes', 'desc')
      .orderBy('storage_use.id')
      .limit(limit + 1)
      .execute()
    const entries: StorageEntry[] = page.slice(0, limit).map(({ name, files, ...entry }) => ({
      ...entry,
      files: Number(files),
      name: name === PUBLIC_FILES ? '' : name,
    }))
    const last = entries.at(-1)
    const hidden = await used
      .select([
        sql<number>`coalesce(sum(storage_use.bytes), 0)::float8`.as('bytes'),
        sql<number>`coalesce(sum(storage_use.files), 0)::int`.as('files'),
      ])
      .where('users.id', 'is', null)
      .where('channels.id', 'is', null)
      .executeTakeFirstOrThrow()
    return { entries, next: page.length > limit && last ? `${last.bytes}_${last.id}` : null, hidden }
  })
}
