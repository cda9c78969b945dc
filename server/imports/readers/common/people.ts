import { MAX_PEOPLE } from '../../archive/bounds.ts'
import { ImportProblem } from '../../import-problem.ts'
import type { OmissionReport, PersonRecord } from '../../records.ts'

/** Tracks yielded people, so that a person found only in a message is yielded just before it. */
export class People {
  readonly #keys = new Set<string>()
  readonly #report: OmissionReport

  constructor(report: OmissionReport) {
    this.#report = report
  }

  has = (key: string) => this.#keys.has(key)

  /** Yields the person the first time. */
  add(person: PersonRecord): PersonRecord[] {
    if (this.#keys.has(person.key)) return []
    this.#keys.add(person.key)
    if (this.#keys.size > MAX_PEOPLE) throw new ImportProblem('tooManyPeople')
    return [person]
  }

  /** A person of whom the archive has only a key, and perhaps a name. */
  stranger(key: string, name = '', more: Partial<PersonRecord> = {}): PersonRecord[] {
    if (this.#keys.has(key)) return []
    if (!more.isBot) this.#report.add('unknownPerson', name ? `${name} (${key})` : key)
    return this.add({
      kind: 'person',
      key,
      username: name || key,
      name: name || key,
      email: null,
      isBot: false,
      isDeactivated: true,
      ...more,
    })
  }
}
