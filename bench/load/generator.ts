// Makes load in a process of its own and checks what it gets. Started by workbench.ts, which hands over jobs.

import { insert } from './database-inserts.ts'
import { download, upload } from './file-transfers.ts'
import { call } from './http-calls.ts'
import type { Job, Outcome } from './jobs.ts'
import { createTally, type Tally } from './outcome-counter.ts'

process.on('message', async (job: Job) => {
  process.send?.(await perform(job))
})
// Its end is the end of whoever started it.
process.on('disconnect', () => process.exit())

async function perform(job: Job): Promise<Outcome> {
  const tally = createTally()
  await doing(job, tally).catch((error) => tally.wrong(String(error)))
  return tally.outcome()
}

function doing(job: Job, tally: Tally): Promise<unknown> {
  switch (job.kind) {
    case 'calls':
      return call(job, job.seconds, tally)
    case 'inserts':
      return insert(job, job.seconds, tally)
    case 'downloads':
      return download(job, job.seconds, tally)
    case 'uploads':
      return upload(job, job.seconds, tally)
  }
}
