const REQUEST_TIMEOUT_MS = 3000
/** Keys, claims and groups take a few kilobytes. */
const MAX_ANSWER_BYTES = 1024 * 1024

/**
 * Requests a JSON object from the hosted provider. Redirects are not followed: they might lead into our own network, or leak the
 * client's secret.
 * @throws for anything but a success with a JSON object, with the URL and the cause
 */
export async function readJson(url: string, init: RequestInit = {}): Promise<Record<string, unknown>> {
  const { status, text } = await readAnswer(url, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS), ...init })
  const value = parsed(text)
  if (status < 200 || status > 299) throw new Error([`${url} answers ${status}`, ...errorCode(value)].join(' '))
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${url} sends no JSON object`)
  return value as Record<string, unknown>
}

/** `fetch` for the provider's keys, within the same bounds. */
export async function fetchBounded(url: string, init: RequestInit): Promise<Response> {
  const { status, text } = await readAnswer(url, init)
  if (status !== 200) throw new Error(`${url} answers ${status}`)
  return new Response(text)
}

async function readAnswer(url: string, init: RequestInit) {
  try {
    const response = await fetch(url, { ...init, redirect: 'manual' })
    const pieces: Uint8Array[] = []
    let bytes = 0
    for await (const piece of response.body ?? []) {
      bytes += piece.byteLength
      // Leaving the loop cancels the response.
      if (bytes > MAX_ANSWER_BYTES) break
      pieces.push(piece)
    }
    if (bytes <= MAX_ANSWER_BYTES) return { status: response.status, text: Buffer.concat(pieces).toString() }
  } catch (cause) {
    throw new Error(`${url} does not respond`, { cause })
  }
  throw new Error(`${url} sends more than ${MAX_ANSWER_BYTES} bytes`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

/** The code of an OAuth error, such as `invalid_client`. Omits its description, which may repeat what was sent. */
function errorCode(value: unknown): string[] {
  const code = (value as { error?: unknown } | null | undefined)?.error
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? [`(${code})`] : []
}
