import type { ImportArchive, OmissionReport } from '../../records.ts'
import type { People } from '../common/people.ts'
import type { Fields } from '../common/values.ts'

/** An archive that is being read. */
export interface Reading {
  archive: ImportArchive
  /** The folder of the archive that contains the export, '' or with a trailing slash. */
  root: string
  /** The names of the archive's files, with the folder. */
  names: ReadonlySet<string>
  people: People
  report: OmissionReport
  /** The objects of a file of JSON lines. */
  lines: (name: string) => AsyncGenerator<Fields>
  /** Keys of people by username in lower case. */
  usernames: Map<string, string>
  /** Keys of channels by name in lower case. */
  channels: Map<string, string>
}
