import type { FastifyInstance } from 'fastify'
import { sql, type Transaction } from 'kysely'
import { can } from '#contract/can'
import type { Problem } from '#contract/errors'
import { ASSISTANT } from '#contract/ids'
import type { Import, ImportPlan, ImportState } from '#contract/imports'
import * as contract from '#contract/imports'
import { limits } from '#contract/limits'
import { actAs, sourceOf, writeAudit } from '../../audit/write-audit.ts'
import type { Db } from '../../db/database.ts'
import type { DB } from '../../db/schema.ts'
import { conflict, forbidden, invalidField, notFound } from '../../errors.ts'
import { createClaim } from '../../identity/password-resets.ts'
import { beginImport, readAgain, retryImport, withoutToken, withSealed } from '../../imports/begin-import.ts'
import { removeArchive } from '../../imports/import-jobs.ts'
import { isPlaceholder } from '../../imports/import-people.ts'
import { forgotten } from '../../imports/import-rows.ts'
import { createSlackClient, SlackFailure } from '../../imports/slack/slack-client.ts'
import { readUndoLosses } from '../../imports/undo-losses.ts'
import { createOutbound } from '../../outbound/outbound.ts'
import { roleOf } from '../../people/profiles.ts'
import { route } from '../../route.ts'
import { mountImportUpload } from './import-upload.ts'

const LISTED = 20
/** Within the time that a request may take. */
const TOKEN_TIMEOUT_MS = 3000

/** Imports from other products, for the workspace's owner. */
export default async function imports(app: FastifyInstance) {
  const { config, db, importing, people, storage, tokenSeal } = app

  const requireOwner = async (me: string, within: Db | Transaction<DB> = db) => {
    if (!can.importArchives({ id: me, role: await roleOf(within, me) })) throw forbidden()
  }

  async function read(importId?: string): Promise<Import[]> {
    const rows = await db
      .selectFrom('imports')
      .select(['id', 'userId', 'fileName', 'size', 'format', 'state', 'plan', 'messages', 'total', 'problem'])
      .select(['archiveId', 'createdAt', 'finishedAt'])
      .$if(importId !== undefined, (row) => row.where('id', '=', importId as string))
      .orderBy('createdAt', 'desc')
      .limit(LISTED)
      .execute()
    const userOf = await people.namesOf(rows.map(({ userId }) => userId))
    return rows.map(({ userId, archiveId, state, plan, problem, ...row }) => ({
      ...row,
      state: state as ImportState,
      plan: plan as unknown as ImportPlan | null,
      problem: problem as unknown as Problem | null,
      canRetry: state === 'failed' && archiveId !== null,
      startedBy: userOf(userId),
    }))
  }
  async function readOne(importId: string): Promise<Import> {
    const [found] = await read(importId)
    if (!found) throw notFound('errors.importNotFound')
    return found
  }

  route(app, contract.listImports, async ({ me }) => {
    await requireOwner(me)
    return read()
  })

  /** @throws AppError 400 for a token that Slack doesn't know */
  async function refuseUnknown(token: string | undefined) {
    if (token === undefined) return
    const outbound = createOutbound({ allowed: config.outboundAllow, purpose: 'import' })
    const slack = createSlackClient({ outbound, slackUrl: config.slackUrl, token })
    // The import itself says if Slack can't be reached.
    const failure = await slack.checkToken(AbortSignal.timeout(TOKEN_TIMEOUT_MS)).catch((error) => error)
    if (failure instanceof SlackFailure && failure.kind === 'refused')
      throw invalidField('slack.token', 'errors.slackToken')
  }

  mountImportUpload(app, { requireOwner, readOne })

  route(app, contract.startImport, async ({ params: { importId }, body, me, request }) => {
    await requireOwner(me)
    const { format, state } = await readOne(importId)
    const users = [...new Set(body.people.map(({ userId }) => userId))]
    const found = await db
      .selectFrom('users')
      .select('id')
      .where('id', '=', sql<string>`any(${users}::text[])`)
      .where('id', '<>', ASSISTANT)
      .where('deactivatedAt', 'is', null)
      .execute()
    if (found.length < users.length) throw invalidField('people', 'errors.userNotFound')
    if (state !== 'ready') throw conflict('import_state', 'errors.importState')
    const isFetching = format === 'slack' && body.slack !== undefined
    if (isFetching) await refuseUnknown(body.slack?.token)
    const choices = {
      channels: Object.fromEntries(body.channels.map(({ key, name }) => [key, name])),
      people: Object.fromEntries(body.people.map(({ key, userId }) => [key, userId])),
      ...(isFetching && { slack: withSealed(tokenSeal, body.slack ?? {}) }),
    }
    await db.transaction().execute(async (tx) => {
      if (!(await beginImport(tx, importId, choices, body.topics))) throw conflict('import_state', 'errors.importState')
      await writeAudit(tx, { kind: 'import_started', actorId: me, details: { format }, ...sourceOf(request) })
    })
    importing.wake()
    return readOne(importId)
  })

  route(app, contract.readTopics, async ({ params: { importId }, body, me }) => {
    await requireOwner(me)
    await readOne(importId)
    const refusal = await db.transaction().execute((tx) => readAgain(tx, importId, body.as))
    if (refusal === 'noTopics') throw invalidField('as', 'errors.noTopics')
    if (refusal === 'tooMany') throw invalidField('as', 'errors.tooManyTopics')
    if (refusal) throw conflict('import_state', 'errors.importState')
    importing.wake()
    return readOne(importId)
  })

  route(app, contract.retryImport, async ({ params: { importId }, body, me, request }) => {
    await requireOwner(me)
    const { format, state } = await readOne(importId)
    if (state !== 'failed') throw conflict('import_state', 'errors.importState')
    await refuseUnknown(body.slack?.token)
    await db.transaction().execute(async (tx) => {
      const slack = body.slack && withSealed(tokenSeal, body.slack)
      const isRetried = await retryImport(tx, importId, { ...(slack && { slack }), withoutFiles: body.withoutFiles })
      if (!isRetried) throw conflict('import_state', 'errors.importState')
      await writeAudit(tx, { kind: 'import_retried', actorId: me, details: { format }, ...sourceOf(request) })
    })
    importing.wake()
    return readOne(importId)
  })

  route(app, contract.acceptImport, async ({ params: { importId }, me, request }) => {
    await requireOwner(me)
    const { format } = await readOne(importId)
    await db.transaction().execute(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('imports')
        .set({ state: 'accepted', ...forgotten })
        .where('id', '=', importId)
        .where('state', '=', 'done')
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw conflict('import_state', 'errors.importState')
      await writeAudit(tx, { kind: 'import_accepted', actorId: me, details: { format }, ...sourceOf(request) })
    })
    await removeArchive(db, storage, importId)
    return readOne(importId)
  })

  route(app, contract.readUndoLosses, async ({ params: { importId }, me }) => {
    await requireOwner(me)
    const row = await db.selectFrom('imports').select('startedAt').where('id', '=', importId).executeTakeFirst()
    if (!row) throw notFound('errors.importNotFound')
    return row.startedAt === null ? { messages: 0, reactions: 0 } : readUndoLosses(db, importId, row.startedAt)
  })

  route(app, contract.undoImport, async ({ params: { importId }, me, request }) => {
    await requireOwner(me)
    const { format } = await readOne(importId)
    const moved = await db.transaction().execute(async (tx) => {
      // A node working on it notices that it has lost its claim.
      const { rows } = await sql<{ state: ImportState }>`
      update imports set claim = null, "touchedAt" = null, attempts = 0, problem = null, "userId" = ${me},
        state = case when "startedAt" is null then 'cancelled' else 'undoing' end,
        "finishedAt" = case when "startedAt" is null then clock_timestamp() end,
        plan = case when "startedAt" is not null then plan end,
        choices = case when "startedAt" is null then '{}' else ${withoutToken} end
      where id = ${importId}::uuid and state in ('reading', 'ready', 'running', 'done', 'failed')
      returning state`.execute(tx)
      const [moved] = rows
      if (!moved) throw conflict('import_state', 'errors.importState')
      // Undoing is recorded when it is complete.
      if (moved.state === 'cancelled')
        await writeAudit(tx, { kind: 'import_cancelled', actorId: me, details: { format }, ...sourceOf(request) })
      return moved
    })
    if (moved.state === 'cancelled') await removeArchive(db, storage, importId)
    else importing.wake()
    return readOne(importId)
  })

  const unclaimed = () =>
    db
      .selectFrom('imported_people')
      .innerJoin('users', 'users.id', 'imported_people.userId')
      .where('claimedAt', 'is', null)
      .where('isBot', '=', false)
      .where('deactivatedAt', 'is', null)

  route(app, contract.listUnclaimed, async ({ me }) => {
    await requireOwner(me)
    const shown = await unclaimed()
      .select(['users.id', 'username', 'name', 'email'])
      .orderBy('username')
      .limit(limits.imports.listed)
      .execute()
    const { total } = await unclaimed()
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    return {
      people: shown.map(({ email, ...user }) => ({ ...user, email: isPlaceholder(email) ? null : email })),
      total: Number(total),
    }
  })

  route(app, contract.createClaim, async ({ params: { userId }, me, request }) => {
    return db.transaction().execute(async (tx) => {
      await actAs(tx, me, sourceOf(request))
      await requireOwner(me, tx)
      return createClaim(tx, { userId, createdBy: me, source: sourceOf(request) })
    })
  })
}
