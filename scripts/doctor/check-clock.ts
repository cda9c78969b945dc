import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Finding, none, ok, problem } from './finding.ts'

/** Codes of two-step sign-in last 30 seconds, and requests to a bucket allow minutes. */
const MAX_OFFSET_MS = 5_000
/** Of a `Date` header. */
const SECOND_MS = 1_000

/** Other clocks that were seen by the checks. */
export interface Clocks {
  /** @param time Unix time in milliseconds, as it is there now @param uncertainty how wrong that may be */
  note(place: string, time: number, uncertainty?: number): void
  /** @param answer with a `Date` header */
  noteHeader(place: string, answer: { date: string | undefined; arrivedAt: number; tookMs: number }): void
  check(): Promise<Finding[]>
}

export function createClocks(): Clocks {
  /** By how much they are ahead at least, in milliseconds. */
  const offsets = new Map<string, number>()

  function noteOffset(place: string, offset: number, uncertainty: number) {
    if (Number.isNaN(offset)) return
    const certain = Math.sign(offset) * Math.max(0, Math.abs(offset) - uncertainty)
    // The smallest one is closest to the truth: answers are late.
    if (Math.abs(certain) < Math.abs(offsets.get(place) ?? Number.POSITIVE_INFINITY)) offsets.set(place, certain)
  }

  const agreed = () => (offsets.size === 0 ? '' : ` It agrees with that of ${[...offsets.keys()].join(' and ')}.`)

  async function check() {
    const wrong = [...offsets].filter(([, offset]) => Math.abs(offset) > MAX_OFFSET_MS)
    const findings = wrong.map(([place, offset]) => problem(describe(place, offset)))
    if (findings.length > 0) return findings
    if ((await isSynchronized()) === false)
      return [
        none(
          `The system says that its clock is not set by others ("timedatectl set-ntp true" changes that).${agreed()}`,
        ),
      ]
    if (offsets.size === 0) return [none('There is no other clock to compare with.')]
    return [ok(agreed().trim())]
  }

  return {
    note: (place, time, uncertainty = 0) => noteOffset(place, time - Date.now(), uncertainty),
    noteHeader: (place, { date, arrivedAt, tookMs }) =>
      noteOffset(place, Date.parse(date ?? '') - arrivedAt, tookMs + SECOND_MS),
    check,
  }
}

const describe = (place: string, offset: number) =>
  `This machine's clock is ${Math.round(Math.abs(offset) / 1000)} seconds ${offset > 0 ? 'behind' : 'ahead of'} that of ${place}. Set both by NTP: codes for signing in and signed links depend on the time.`

/** Undefined if this machine doesn't say. */
async function isSynchronized(): Promise<boolean | undefined> {
  const { stdout } = await promisify(execFile)('timedatectl', ['show', '--property=NTPSynchronized'], {
    timeout: 3000,
  }).catch(() => ({ stdout: '' }))
  const [, answer] = /^NTPSynchronized=(yes|no)$/m.exec(stdout) ?? []
  return answer === undefined ? undefined : answer === 'yes'
}
