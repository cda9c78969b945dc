import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { AuditDownload, type AuditEntry, downloadAudit, listAudit } from '#contract/audit'
import { can } from '#contract/can'
import { csvLine } from '../../audit/audit-csv.ts'
import { readAudit } from '../../audit/read-audit.ts'
import { sourceOf, writeAudit } from '../../audit/write-audit.ts'
import { forbidden } from '../../errors.ts'
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
