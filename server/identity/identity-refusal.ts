import { APIError } from 'better-auth'
import { sentenceOf, toProblem, type Why } from '../errors.ts'

/** An error of the identity API: its body has the library's shape, and a `reason` with `values` like our own errors. */
export function refusal(
  status: ConstructorParameters<typeof APIError>[0],
  code: string,
  why: Why,
  headers?: Record<string, string>,
) {
  const problem = toProblem(why)
  return new APIError(status, { code, message: sentenceOf(problem), ...problem }, headers)
}

/** The same error that the library throws. */
export function wrongPassword(path: string) {
  if (path.startsWith('/callback'))
    return new APIError('UNAUTHORIZED', { code: 'account_not_linked', message: 'Account not linked' })
  const by = path.endsWith('/username') ? 'USERNAME' : 'EMAIL'
  const message = `Invalid ${by.toLowerCase()} or password`
  return new APIError('UNAUTHORIZED', { code: `INVALID_${by}_OR_PASSWORD`, message })
}
