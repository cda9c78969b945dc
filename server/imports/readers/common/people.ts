import { MAX_PEOPLE } from '../../archive/bounds.ts'
import type { OmissionReport, PersonRecord } from '../../records.ts'
import { BoundedMap } from './bounded-map.ts'

/** Tracks yielded people, so that a person found only in a message is yielded just before it. */
export class People {
  readonly #keys = new BoundedMap<null>(MAX_PEOPLE, 'tooManyPeople')
  readonly #report: OmissionReport

  constructor(report: OmissionReport) {
    this.#report = report
  }

  has = (key: string) => this.#keys.has(key)

  /** Yields the person the first time. */
  add(person: PersonRecord): PersonRecord[] {
    if (this.#keys.has(person.key)) return []
    this.#keys.set(person.key, null)
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
