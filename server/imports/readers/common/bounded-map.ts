import { ImportProblem } from '../../import-problem.ts'

type Reason = 'tooManyChannels' | 'tooManyEmoji' | 'tooManyPeople'

/** Characters of all keys and values together: names and topics may have any length. */
const MAX_CHARACTERS = 64 * 1024 * 1024

/** A map that rejects the archive once it has more than `max` entries, or too long ones. Lists in values are not counted. */
export class BoundedMap<Value> extends Map<string, Value> {
  readonly #max: number
  readonly #reason: Reason
  #characters = 0

  constructor(max: number, reason: Reason) {
    super()
    this.#max = max
    this.#reason = reason
  }

  override set(key: string, value: Value) {
    super.set(key, value)
    this.#characters += key.length + charactersOf(value)
    if (this.size > this.#max || this.#characters > MAX_CHARACTERS) throw new ImportProblem(this.#reason)
    return this
  }
}

function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 0
  return Object.values(value).reduce((sum: number, field) => sum + charactersOf(field), 0)
}
