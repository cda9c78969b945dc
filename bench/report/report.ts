import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { isMet, lineOf, type Row, tableHead } from './row.ts'

/** Prints rows as a Markdown table as they arrive, and stores their details as JSON. */
export function openReport(given: string[]) {
  const startedAt = new Date()
  const rows: Row[] = []
  return {
    add(row: Row) {
      if (rows.length === 0) console.log(`\n${tableHead}`)
      console.log(lineOf(row))
      rows.push(row)
    },
    /** @param verdict whether the database has every acknowledged message */
    async close(verdict: string | undefined) {
      const machine = {
        processor: cpus()[0]?.model,
        cores: availableParallelism(),
        memory: totalmem(),
        node: process.version,
      }
      const seconds = Math.round((Date.now() - startedAt.getTime()) / 1000)
      const { processor, cores, memory, node } = machine
      if (verdict) console.log(`\n${verdict}`)
      console.log(
        `\n${cores} cores (${processor}) with ${Math.round(memory / 1e9)} GB, shared by the generator, the ceilings,` +
          ` PostgreSQL and the server; Node ${node}; ${startedAt.toISOString().slice(0, 10)}, ${seconds} s.`,
      )
      const judged = rows.map((row) => ({ ...row, met: isMet(row) }))
      const kept = { startedAt, seconds, given, machine, verdict, rows: judged }
      const folder = new URL('../results/', import.meta.url)
      await mkdir(folder, { recursive: true })
      const name = startedAt.toISOString().slice(0, 19).replaceAll(':', '')
      await writeFile(new URL(`${name}.json`, folder), `${JSON.stringify(kept, null, 2)}\n`)
    },
  }
}
export type Report = ReturnType<typeof openReport>
