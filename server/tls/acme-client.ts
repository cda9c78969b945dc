import { AsyncLocalStorage } from 'node:async_hooks'
import { createPrivateKey } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import type { AcmeSource } from '../config/tls-settings.ts'
import { writeSecretFile } from './certificate.ts'

/** Why there is no new certificate. */
export class AcmeError extends Error {
  /** When the authority may be asked again, if it says so; in seconds. */
  readonly retryAfter: number | undefined
  /** Whether the authority answered; otherwise it could not be reached, or was not asked. */
  readonly isRefusal: boolean
  constructor(message: string, { retryAfter, hasAnswered = false }: Partial<Told> = {}) {
    // Part of it comes from the authority, and it may be printed on a terminal.
    super(message.replaceAll(/\p{Cc}+/gu, ' ').slice(0, MAX_MESSAGE_LENGTH))
    this.retryAfter = retryAfter
    this.isRefusal = hasAnswered
  }
}

interface Options {
  source: AcmeSource
  /** Where the account is kept. */
  folder: string
  /** Answers by token, which must be served at `/.well-known/acme-challenge/`. */
  challenges: Map<string, string>
  /** Receives what is said to the authority and back. */
  log: (line: string) => void
  signal: AbortSignal
}

const UNKNOWN_ACCOUNT = 'urn:ietf:params:acme:error:accountDoesNotExist'
/** A request to the authority. They take long if it checks something meanwhile. */
const REQUEST_TIMEOUT_MS = 60_000
/** A chain of certificates has a few thousand. */
const MAX_ANSWER_BYTES = 1_000_000
const MAX_MESSAGE_LENGTH = 500

/** What the authority's responses said besides their message. */
interface Told {
  /** Whether the last request got a response. */
  hasAnswered: boolean
  /** In seconds. */
  retryAfter: number | undefined
  /** The type of the last problem (RFC 8555, section 6.7). */
  problem: string | undefined
}

/** An attempt to obtain a certificate. */
interface Attempt {
  told: Told
  /** Ends it, with the reason: its requests fail from then on. */
  end: AbortController
}

/** The attempt that a request belongs to: the library's adapter is global, and it goes on for a while after it is aborted. */
const attempts = new AsyncLocalStorage<Attempt>()

/** Kept, so that all certificates of this workspace belong to one account. */
const Account = z.object({ /** PEM. */ key: z.string().min(1), url: z.url() })
type Account = z.output<typeof Account>

/**
 * Obtains a certificate by ACME (RFC 8555): the authority asks at port 80 of the domain whether it is ours.
 * @returns the chain and its key, both PEM
 * @throws AcmeError; at once if it is aborted
 */
export async function obtainCertificate(options: Options) {
  const told: Told = { hasAnswered: false, retryAfter: undefined, problem: undefined }
  const end = new AbortController()
  const signal = AbortSignal.any([options.signal, end.signal])
  const aborted = new Promise<never>((_, reject) => {
    const fail = () => reject(signal.reason)
    if (signal.aborted) fail()
    signal.addEventListener('abort', fail)
  })
  const ordering = attempts.run({ told, end }, () => orderWithAccount(options, told))
  try {
    return await Promise.race([ordering, aborted])
  } catch (error) {
    const { name, message } = error as Error
    throw new AcmeError(name === 'TimeoutError' ? 'it took too long' : message, told)
  } finally {
    options.challenges.clear()
    ordering.catch(() => {})
    end.abort(new AcmeError('the attempt has ended'))
  }
}

async function orderWithAccount(options: Options, told: Told) {
  const accountPath = join(options.folder, 'account.json')
  const account = await readAccount(accountPath)
  return order(options, accountPath, account).catch((error) => {
    if (!account || told.problem !== UNKNOWN_ACCOUNT) throw error
    return order(options, accountPath, undefined)
  })
}

/** @param known undefined to register a new account */
async function order({ source, challenges, log }: Options, accountPath: string, known: Account | undefined) {
  // Loaded only when it is needed, about six times a year.
  const acme = await import('acme-client')
  acme.setLogger(log)
  acme.axios.defaults.adapter = send as never
  const accountKey = known?.key ?? (await acme.crypto.createPrivateEcdsaKey()).toString()
  const client = new acme.Client({
    directoryUrl: source.directory,
    accountKey,
    ...(known && { accountUrl: known.url }),
  })
  if (!known) {
    await client.createAccount({ termsOfServiceAgreed: true })
    const account: Account = { key: accountKey, url: client.getAccountUrl() }
    await writeSecretFile(accountPath, JSON.stringify(account))
  }
  const key = await acme.crypto.createPrivateEcdsaKey()
  const [, csr] = await acme.crypto.createCsr({ altNames: [source.domain] }, key)
  const cert = await client.auto({
    csr,
    challengePriority: ['http-01'],
    // From inside, the domain may lead elsewhere.
    skipChallengeVerification: true,
    challengeCreateFn: async (_, { type, token }, answer) => {
      if (type !== 'http-01') throw new Error('the authority offers no check over HTTP')
      challenges.set(token, answer)
    },
    challengeRemoveFn: async (_, { token }) => void challenges.delete(token),
  })
  return { cert, key: key.toString() }
}

/** Undefined if there is none yet, or it is damaged: then a new one is registered. */
async function readAccount(path: string): Promise<Account | undefined> {
  const text = await readFile(path, 'utf8').catch((error) => {
    if (error.code !== 'ENOENT') throw error
    return ''
  })
  try {
    const account = Account.parse(JSON.parse(text))
    createPrivateKey(account.key)
    return account
  } catch {
    return undefined
  }
}

/** What axios passes to an adapter, as far as it is used here. */
interface AxiosRequest {
  url?: string
  method?: string
  data?: string
  headers: { toJSON(): Record<string, string> }
}

/**
 * The library's adapter for requests. Its own retries, and its polling, would wait as long as a rate limit says, up to days, or
 * not at all; a rate limit therefore ends the attempt.
 */
async function send(request: AxiosRequest) {
  const { told, end } = attempts.getStore() as Attempt
  const { url = '', method = 'get', data } = request
  told.hasAnswered = false
  const answer = await fetch(url, {
    method: method.toUpperCase(),
    headers: request.headers.toJSON(),
    ...(data !== undefined && { body: data }),
    signal: AbortSignal.any([end.signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
  }).catch((error) => {
    throw new AcmeError(`${new URL(url).host} can't be reached: ${error.cause?.message ?? error.message}`)
  })
  const { status, statusText } = answer
  const body = await readBody(answer)
  told.hasAnswered = true
  if (status >= 400) told.problem = /"type"\s*:\s*"([^"]*)"/.exec(body)?.[1]
  const isBusy = status === 429 || status === 503
  if (isBusy) {
    told.retryAfter = secondsOf(answer.headers.get('retry-after'))
    end.abort(new Error(/"detail"\s*:\s*"([^"]*)"/.exec(body)?.[1] ?? `${new URL(url).host} answered ${status}`))
  }
  return { data: body, status, statusText, headers: Object.fromEntries(answer.headers), config: request }
}

async function readBody(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_ANSWER_BYTES) throw new AcmeError(`${new URL(answer.url).host} sends too much`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** @param header a number of seconds, or a date */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}
