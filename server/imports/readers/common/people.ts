import type { OmissionReport, PersonRecord } from '../../records.ts'

/** Remembers who was yielded, so that somebody who is only found in a message comes just before it. */
export class People {
  readonly #keys = new Set<string>()
  readonly #report: OmissionReport

  constructor(report: OmissionReport) {
    this.#report = report
  }

  has = (key: string) => this.#keys.has(key)

  /** The person, the first time. */
  add(person: PersonRecord): PersonRecord[] {
    if (this.#keys.has(person.key)) return []
    this.#keys.add(person.key)
    return [person]
  }

  /** Somebody of whom the archive only has a key, and perhaps a name. */
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
