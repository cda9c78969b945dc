import { ImportProblem } from '../../import-problem.ts'

/** A map that rejects the archive once it has more than `max` entries. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #max: number
  readonly #reason: 'tooManyChannels' | 'tooManyPeople'

  constructor(max: number, reason: 'tooManyChannels' | 'tooManyPeople') {
    super()
    this.#max = max
    this.#reason = reason
  }

  override set(key: Key, value: Value) {
    super.set(key, value)
    if (this.size > this.#max) throw new ImportProblem(this.#reason)
    return this
  }
}
