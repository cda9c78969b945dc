import type { AnyEndpoint, CallOf } from '#contract/endpoint'

const TIMEOUT_MS = 15_000

export type Call = <E extends AnyEndpoint>(e: E, input: CallOf<E>) => Promise<Response>

/**
 * Makes calls as a person, by the session of this browser.
 * @throws Error if the server can't be reached, or somebody else is signed in, or nobody
 */
export async function callsOf(person: string): Promise<Call> {
  const response = await fetch('/api/auth/token', { signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!response.ok) throw new Error(`No session: ${response.status}`)
  const { token } = (await response.json()) as { token: string }
  if (subjectOf(token) !== person) throw new Error('Somebody else is signed in')
  return (e, input) => {
    const { params = {}, body } = input as { params?: Record<string, string>; body?: unknown }
    const path = e.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
    const json = body !== undefined && { 'content-type': 'application/json' }
    return fetch(path, {
      method: e.method,
      headers: { authorization: `Bearer ${token}`, ...json },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
  }
}

/** Whose token it is. */
export function subjectOf(token: string): unknown {
  const [, payload = ''] = token.split('.')
  return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))).sub
}

/** Whether the same call may succeed later. */
export const isPassing = ({ status }: Response) => status >= 500 || [401, 408, 429].includes(status)
