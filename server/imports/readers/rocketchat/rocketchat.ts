import type { ImportArchive, ImportReader, ImportRecord, OmissionReport } from '../../records.ts'
import { Findings } from '../common/findings.ts'
import { documents, fileOf } from './collections.ts'
import { Reading } from './reading.ts'
import { StoredFiles } from './stored-files.ts'

/** Rocket.Chat's collections as `mongoexport` writes them: JSON lines, or lists with --jsonArray. */
export const rocketchatReader: ImportReader = {
  format: 'rocketchat',
  recognizes: async (archive) =>
    fileOf(archive, 'rocketchat_message') !== undefined && fileOf(archive, 'rocketchat_room') !== undefined,
  read,
}

async function* read(archive: ImportArchive, report: OmissionReport): AsyncGenerator<ImportRecord> {
  const findings = await Findings.open()
  try {
    const files = await StoredFiles.read(archive, findings.lists, report)
    const reading = new Reading(findings, files, report)
    for await (const row of documents(archive, 'users', report)) reading.user(row)
    for await (const row of documents(archive, 'rocketchat_custom_emoji', report)) reading.emoji(row)
    for await (const row of documents(archive, 'rocketchat_room', report)) reading.room(row)
    for await (const row of documents(archive, 'rocketchat_subscription', report)) reading.subscription(row)
    for await (const row of documents(archive, 'rocketchat_message', report)) await reading.message(row)
    yield* findings.records(files, report)
  } finally {
    await findings.close()
  }
}
