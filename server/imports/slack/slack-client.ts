import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { MAX_EMOJI_UPLOAD_BYTES } from '#contract/custom-emoji'
import { foldEmojiName } from '#contract/emoji'
import { type Opened, type Outbound, OutboundError } from '../../outbound/outbound.ts'
import { fieldsOf, textOf } from '../readers/common/values.ts'

/** For the beginning of a response. */
const RESPONSE_TIMEOUT_MS = 30_000
/** For a list or a picture. */
const READ_TIMEOUT_MS = 60_000
/** For a file; the one who stores it also ends it if nothing comes. */
const FILE_TIMEOUT_MS = 3_600_000
/** Of a list of emoji: names and addresses. */
const MAX_LIST_BYTES = 20 * 1024 ** 2
const MAX_RETRY_AFTER_S = 3600
/** What a token may not do, as opposed to a fault of Slack's. */
const REFUSALS = /auth|token|scope|permission|account|org|team|access|not_allowed/
/** Faults of an address; others may pass. */
const PASSING = /^(does not respond|unknown host|not a public address)$/

/** Why Slack didn't give something. */
type SlackFailureKind =
  /** It was deleted. */
  | 'gone'
  /** The token, or the one in the archive's link, doesn't allow it. */
  | 'refused'
  /** Too many requests: it says how long to wait. */
  | 'busy'
  /** It answers with an error. */
  | 'failed'
  /** It doesn't answer, or breaks off. */
  | 'unreachable'

export class SlackFailure extends Error {
  override name = 'SlackFailure'
  readonly kind: SlackFailureKind
  readonly waitMs: number

  constructor(kind: SlackFailureKind, { waitMs = 0, cause }: { waitMs?: number; cause?: unknown } = {}) {
    super(kind, { cause })
    this.kind = kind
    this.waitMs = waitMs
  }
}

interface Options {
  outbound: Outbound
  /** Slack's origin. */
  slackUrl: string
  /** Undefined: links of Slack's own exports contain one for their files. */
  token: string | undefined
}

export type SlackClient = ReturnType<typeof createSlackClient>

/**
 * Requests to Slack. The token is sent to Slack's hosts only, whatever an archive's links say.
 * @throws SlackFailure, from all of them
 */
export function createSlackClient({ outbound, slackUrl, token }: Options) {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }

  async function open(url: string, signal: AbortSignal, isSlack = true): Promise<Opened> {
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(new OutboundError('does not respond')), RESPONSE_TIMEOUT_MS)
    try {
      return await outbound.open(url, {
        accept: '*/*',
        signal: AbortSignal.any([signal, late.signal]),
        ...(isSlack && { headers, mayFollow: ({ href }: URL) => isSlackFile(href, slackUrl) }),
      })
    } catch (cause) {
      signal.throwIfAborted()
      const mayPass = !(cause instanceof OutboundError) || PASSING.test(cause.message)
      throw new SlackFailure(mayPass ? 'unreachable' : 'gone', { cause })
    } finally {
      clearTimeout(timer)
    }
  }

  /** Reads what is small. Empty if it isn't. */
  async function read(url: string, maxBytes: number, signal: AbortSignal, isSlack = true): Promise<Buffer> {
    const late = AbortSignal.timeout(READ_TIMEOUT_MS)
    try {
      return await collect(accepted(await open(url, AbortSignal.any([signal, late]), isSlack)), maxBytes)
    } catch (cause) {
      signal.throwIfAborted()
      throw cause instanceof SlackFailure ? cause : new SlackFailure('unreachable', { cause })
    }
  }

  async function callApi(method: string, signal: AbortSignal) {
    const text = await read(`${slackUrl}/api/${method}`, MAX_LIST_BYTES, signal)
    const answer = parse(text.toString())
    if (answer['ok'] === true) return answer
    throw new SlackFailure(REFUSALS.test(textOf(answer['error'])) ? 'refused' : 'failed')
  }

  return {
    hasToken: token !== undefined,

    /** @throws SlackFailure, which refuses a token that Slack doesn't know */
    async checkToken(signal: AbortSignal) {
      await callApi('auth.test', signal)
    },

    /** Whether Slack answers at all. */
    async isReachable(signal: AbortSignal) {
      try {
        const { body } = await open(`${slackUrl}/api/api.test`, signal)
        body.destroy()
        return true
      } catch (error) {
        if (error instanceof SlackFailure) return false
        throw error
      }
    },

    /** @param isPage a web page is expected; otherwise it is Slack's refusal */
    async openFile(url: string, isPage: boolean, signal: AbortSignal): Promise<Readable> {
      return accepted(await open(url, AbortSignal.any([signal, AbortSignal.timeout(FILE_TIMEOUT_MS)])), isPage)
    },

    /** Addresses of pictures by name, and further names: an address of `alias:name`. */
    async listEmoji(signal: AbortSignal): Promise<Map<string, string>> {
      const { emoji } = await callApi('emoji.list', signal)
      return new Map(Object.entries(fieldsOf(emoji)).map(([name, url]) => [foldEmojiName(name), textOf(url)]))
    },

    /** The picture of an emoji, which another host has. Empty if it is too large. */
    async readEmoji(url: string, signal: AbortSignal): Promise<Buffer> {
      return read(url, MAX_EMOJI_UPLOAD_BYTES, signal, false)
    },
  }
}

/** Whether an address is one of Slack's files: others are never fetched. */
export function isSlackFile(address: string, slackUrl: string): boolean {
  const [url, slack] = [URL.parse(address), new URL(slackUrl)]
  if (!url || url.protocol !== slack.protocol || url.port !== slack.port) return false
  if (url.username !== '' || url.password !== '') return false
  const isHost = url.hostname === slack.hostname || url.hostname.endsWith(`.${slack.hostname}`)
  return isHost && url.pathname.startsWith('/files-')
}

/** The body of a response that is what was asked for. */
function accepted({ status, headers, body }: Opened, isPage = false): Readable {
  const kind = kindOf(status, headers, isPage)
  if (!kind) return body
  body.destroy()
  throw new SlackFailure(kind, { waitMs: kind === 'busy' ? waitOf(headers) : 0 })
}

function kindOf(status: number, headers: IncomingHttpHeaders, isPage: boolean): SlackFailureKind | undefined {
  if (status === 429) return 'busy'
  if (status === 404 || status === 410) return 'gone'
  if (status === 408 || status >= 500) return 'failed'
  const isOtherPage = !isPage && /^text\/html\b/i.test(headers['content-type'] ?? '')
  // Without permission, Slack redirects to its sign-in page, or shows it.
  return status !== 200 || isOtherPage ? 'refused' : undefined
}

/** `Retry-After` is a number of seconds, or a date. */
function waitOf({ 'retry-after': after = '' }: IncomingHttpHeaders) {
  const seconds = /^\d+$/.test(after) ? Number(after) : (Date.parse(after) - Date.now()) / 1000
  return 1000 * Math.min(Math.max(seconds || 1, 1), MAX_RETRY_AFTER_S)
}

function parse(text: string) {
  try {
    return fieldsOf(JSON.parse(text))
  } catch (cause) {
    throw new SlackFailure('failed', { cause })
  }
}

async function collect(body: Readable, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of body) {
    size += (piece as Buffer).length
    if (size > maxBytes) return Buffer.alloc(0)
    pieces.push(piece as Buffer)
  }
  return Buffer.concat(pieces)
}
