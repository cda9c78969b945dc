/** Why an archive is not read. Each is a text of the languages, 'imports.problem.…'. */
type ImportProblemReason =
  | 'damaged'
  | 'duplicateName'
  | 'encrypted'
  | 'newerVersion'
  | 'notAnArchive'
  | 'recordTooLarge'
  | 'tooLarge'
  | 'tooManyEntries'
  | 'unknownFormat'
  | 'unsafeName'

/** An archive that cannot be read, or only at a risk. */
export class ImportProblem extends Error {
  readonly reason: ImportProblemReason
  /** Where: the name of an entry, if it is about one. */
  readonly entry: string

  constructor(reason: ImportProblemReason, entry = '', cause?: unknown) {
    super(`${reason}${entry && `: ${entry}`}`, { cause })
    this.reason = reason
    this.entry = entry
  }
}
