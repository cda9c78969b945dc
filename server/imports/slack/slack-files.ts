import { setTimeout as sleep } from 'node:timers/promises'
import { sanitizeFileName } from '../../files/file-name.ts'
import { ImportProblem } from '../import-problem.ts'
import { type SlackClient, SlackFailure } from './slack-client.ts'

/** Before another try while Slack can't be reached. */
const WAITS_MS = [1000, 4000, 15_000, 60_000, 300_000]
/** How often to try again what fails although Slack can be reached. */
const MAX_FAILED = 3
/** How often Slack may ask to wait for one file. */
const MAX_BUSY = 30
/** Files in a row that Slack refuses: the token was revoked. Fewer may be those of a channel it may not read. */
const MAX_REFUSED = 20
/** Files in a row that fail although Slack can be reached: the host that has them can't. */
const MAX_AWAY = 5

export interface SlackOutcome {
  files: number
  bytes: number
  /** The names of files and emoji that Slack doesn't have or refuses. */
  missing: string[]
  missingFiles: number
}

const nothing = (): SlackOutcome => ({ files: 0, bytes: 0, missing: [], missingFiles: 0 })

interface Options {
  client: SlackClient
  /** Leaves out what Slack refuses, as the owner chose. */
  skipsRefused: boolean
  /** Whether an earlier attempt has fetched files: then a single refusal says little. */
  hasFetched: boolean
  signal: AbortSignal
  waitsMs?: number[]
}

/** Fetches what an archive only links to, and collects the names of what Slack doesn't give. */
export class SlackFiles {
  readonly client: SlackClient
  /** Whether the workspace's emoji have been looked up. */
  hasEmoji = false
  readonly #options: Options
  #outcome = nothing()
  #hasFetched: boolean
  #refused = 0
  #away = 0

  constructor(options: Options) {
    this.#options = options
    this.client = options.client
    this.#hasFetched = options.hasFetched
  }

  /**
   * Runs `attempt` for a file of a message until it succeeds, again after failures that may pass.
   * @returns undefined if Slack doesn't have it, refuses it, or breaks it off time and again
   * @throws ImportProblem if Slack can't be reached, or refuses all files
   */
  async fetchFile<T extends { size: number }>(
    name: string,
    attempt: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> {
    try {
      const fetched = await this.#untilFetched(attempt)
      this.#hasFetched = true
      this.#refused = 0
      this.#away = 0
      this.#outcome.files++
      this.#outcome.bytes += fetched.size
      return fetched
    } catch (error) {
      if (!(error instanceof SlackFailure)) throw error
      if (error.kind === 'refused') this.#noteRefusal()
      if (error.kind === 'unreachable' && ++this.#away >= MAX_AWAY)
        throw new ImportProblem('filesUnreachable', '', error)
      this.#outcome.missingFiles++
      this.noteMissing(sanitizeFileName(name))
      return undefined
    }
  }

  /** The addresses of the workspace's emoji by name; none if the token is not for them. @throws ImportProblem if Slack can't be reached */
  async listEmoji(): Promise<Map<string, string>> {
    try {
      const listed = await this.#untilFetched((signal) => this.client.listEmoji(signal))
      this.hasEmoji = true
      return listed
    } catch (error) {
      if (error instanceof SlackFailure) return new Map()
      throw error
    }
  }

  /** The picture of an emoji; empty if it can't be read. */
  async readEmoji(url: string): Promise<Buffer> {
    try {
      return await this.client.readEmoji(url, this.#options.signal)
    } catch (error) {
      if (error instanceof SlackFailure) return Buffer.alloc(0)
      throw error
    }
  }

  noteMissing(name: string) {
    this.#outcome.missing.push(name)
  }

  /** What was fetched and what was missing since the last call. */
  takeOutcome(): SlackOutcome {
    const outcome = this.#outcome
    this.#outcome = nothing()
    return outcome
  }

  #noteRefusal() {
    const isAll = !this.#hasFetched || ++this.#refused >= MAX_REFUSED
    if (isAll && !this.#options.skipsRefused) throw new ImportProblem('filesRefused')
  }

  /** @throws SlackFailure if trying again is of no use, ImportProblem if Slack can't be reached */
  async #untilFetched<T>(attempt: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal, waitsMs = WAITS_MS } = this.#options
    for (let [failed, busy] = [0, 0]; ; ) {
      try {
        return await attempt(signal)
      } catch (error) {
        if (!(error instanceof SlackFailure) || error.kind === 'gone' || error.kind === 'refused') throw error
        const isBusy = error.kind === 'busy'
        const isAway = error.kind === 'unreachable'
        if (isBusy) busy++
        // What fails while Slack can be reached concerns this file only.
        else if (failed >= MAX_FAILED && !(isAway && !(await this.client.isReachable(signal)))) throw error
        const wait = isBusy ? error.waitMs : waitsMs[failed++]
        if (wait === undefined || busy > MAX_BUSY) throw new ImportProblem('filesUnreachable', '', error)
        await sleep(wait, undefined, { signal })
      }
    }
  }
}
