import { MAX_MEMBERS } from '../../archive/bounds.ts'
import { ImportProblem } from '../../import-problem.ts'

/** Longer keys count as several members. */
const KEY_CHARACTERS = 64

/** Rejects an archive whose channels have too many members together to be held in memory. */
export class MemberCount {
  #count = 0

  /** To be called with the members of each channel. */
  add(keys: readonly string[]) {
    for (const key of keys) this.#count += Math.max(1, key.length / KEY_CHARACTERS)
    if (this.#count > MAX_MEMBERS) throw new ImportProblem('tooManyMembers')
  }
}
