import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import {
  type AuditAges,
  AuditDownload,
  type AuditEntry,
  downloadAudit,
  getAuditAges,
  listAudit,
  setAuditAges,
} from '#contract/audit'
import { can } from '#contract/can'
import { csvLine } from '../../audit/audit-csv.ts'
import { readAudit } from '../../audit/read-audit.ts'
import { sourceOf, writeAudit } from '../../audit/write-audit.ts'
import { forbidden, invalidField } from '../../errors.ts'
import { roleOf } from '../../people/profiles.ts'
import { byteRoute, read, route } from '../../route.ts'

const LINES_PER_READ = 500

/** The audit log, for the workspace's owner and admins. */
export default async function audit(app: FastifyInstance) {
  const { db } = app

  async function readerOf(me: string) {
    const role = await roleOf(db, me)
    if (!can.readAudit({ role })) throw forbidden()
    return { id: me, role }
  }

  route(app, listAudit, async ({ query: { cursor, limit, ...filters }, me }) =>
    readAudit(db, await readerOf(me), filters, { cursor, limit }),
  )

  const ages = db.selectFrom('workspace').select(['auditDays as days', 'auditAddressDays as addressDays'])

  route(app, getAuditAges, async ({ me }) => {
    await readerOf(me)
    return ages.executeTakeFirstOrThrow()
  })

  route(app, setAuditAges, ({ body, me, request }) =>
    db.transaction().execute(async (tx) => {
      const { rows } = await tx.executeQuery(ages.forUpdate())
      const before = rows[0] as AuditAges
      if (!can.setRetention({ id: me, role: await roleOf(tx, me) })) throw forbidden()
      const { days = before.days, addressDays = before.addressDays } = body
      const after = { days, addressDays }
      if (addressDays > days) throw invalidField('addressDays', 'errors.addressesOutliveLines')
      if (before.days === days && before.addressDays === addressDays) return after
      await tx.updateTable('workspace').set({ auditDays: days, auditAddressDays: addressDays }).execute()
      await writeAudit(tx, { kind: 'audit_ages_changed', actorId: me, details: after, ...sourceOf(request) })
      return after
    }),
  )

  byteRoute(app, downloadAudit, async ({ me, request, reply }) => {
    const { format, ...filters } = read('query', AuditDownload, request.query)
    await readerOf(me)
    // Browsers first check whether the file exists.
    const isProbe = request.method === 'HEAD'
    if (!isProbe)
      await writeAudit(db, { kind: 'audit_downloaded', actorId: me, details: { format }, ...sourceOf(request) })
    async function* lines() {
      if (format === 'csv') yield csvLine()
      for (let cursor: number | null | undefined; cursor !== null; ) {
        // Checks the reader again, who may lose access during the download.
        const page = await readAudit(db, await readerOf(me), filters, { cursor, limit: LINES_PER_READ })
        yield page.entries.map((entry) => (format === 'csv' ? csvLine(entry) : jsonLine(entry))).join('')
        cursor = page.next
      }
    }
    return reply
      .type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8')
      .header('content-disposition', `attachment; filename="audit-log.${format}"`)
      .send(Readable.from(isProbe ? [] : lines()))
  })
}

const jsonLine = (entry: AuditEntry) => `${JSON.stringify(entry)}\n`
