// Generates load in a separate process and checks the responses. workbench.ts starts it and sends it jobs.

import { insert } from './database-inserts.ts'
import { download, upload } from './file-transfers.ts'
import { call } from './http-calls.ts'
import type { Job, Outcome } from './jobs.ts'
import { createOutcomeCounter, type OutcomeCounter } from './outcome-counter.ts'

process.on('message', async (job: Job) => {
  process.send?.(await runAndCount(job))
})
// Exit with the parent process.
process.on('disconnect', () => process.exit())

async function runAndCount(job: Job): Promise<Outcome> {
  const counter = createOutcomeCounter()
  await runJob(job, counter).catch((error) => counter.wrong(String(error)))
  return counter.outcome()
}

function runJob(job: Job, counter: OutcomeCounter): Promise<unknown> {
  switch (job.kind) {
    case 'calls':
      return call(job, job.seconds, counter)
    case 'inserts':
      return insert(job, job.seconds, counter)
    case 'downloads':
      return download(job, job.seconds, counter)
    case 'uploads':
      return upload(job, job.seconds, counter)
  }
}
