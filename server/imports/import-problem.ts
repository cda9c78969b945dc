/** Why an archive is rejected. Each has a text in the languages, 'imports.problem.…'. */
type ImportProblemReason =
  | 'damaged'
  | 'duplicateName'
  | 'encrypted'
  | 'filesRefused'
  | 'filesUnreachable'
  | 'newerVersion'
  | 'notAnArchive'
  | 'recordTooLarge'
  | 'tooLarge'
  | 'tooManyChannels'
  | 'tooManyEmoji'
  | 'tooManyEntries'
  | 'tooManyMembers'
  | 'tooManyPeople'
  | 'unknownFormat'
  | 'unsafeName'

/** An archive that cannot be read, or not safely. */
export class ImportProblem extends Error {
  readonly reason: ImportProblemReason
  /** The name of the entry with the problem, if any. */
  readonly entry: string

  constructor(reason: ImportProblemReason, entry = '', cause?: unknown) {
    super(`${reason}${entry && `: ${entry}`}`, { cause })
    this.reason = reason
    this.entry = entry
  }
}
