import { ApiError } from './api.ts'

/** A sentence for what failed, with the server's reason if it gave one. */
export function failureText(what: string, error: unknown): string {
  if (!(error instanceof ApiError) || !error.reason) return what
  // Names such as 'ownerId' mean nothing to people.
  const [[field, problem] = []] = Object.entries(error.fields).filter(([field]) => !/[A-Z]/.test(field))
  return `${what}: ${field ? `the ${field} ${problem}` : lowerFirst(error.reason)}`
}

/** Logs what failed and returns a sentence for it; without a response the reason is the connection. */
export function logFailure(what: string, error: unknown): string {
  console.error(`${what}:`, error)
  return error instanceof ApiError ? failureText(what, error) : `${what}: no connection`
}

/** Why an upload failed, in the specification's words. */
export function uploadFailureText(error: unknown, isPublic: boolean): string {
  const failed = 'Failed to upload files. Please try again.'
  if (!(error instanceof ApiError)) return failed
  if (error.status === 401) return 'Please sign in to upload files'
  if (error.status === 404 && isPublic) return 'Public bucket not found'
  return error.reason ? `${failed} ${withFullStop(error.reason)}` : failed
}

/** For a sentence beside another one. */
export const withFullStop = (sentence: string) => (sentence.endsWith('.') ? sentence : `${sentence}.`)

const lowerFirst = (sentence: string) => sentence.charAt(0).toLowerCase() + sentence.slice(1)
