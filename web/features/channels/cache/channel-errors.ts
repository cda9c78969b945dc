import { ApiError } from '../../../api-client/api.ts'

/** The catalogue's text, and the reason where the server gave one a person can act on. */
export function wordsFor(error: Error, text: string) {
  if (!(error instanceof ApiError) || !error.reason) return text
  const [[field, problem] = []] = Object.entries(error.fields)
  return `${text}: ${field ? `the ${field} ${problem}` : lowerFirst(error.reason)}`
}

const lowerFirst = (sentence: string) => sentence.charAt(0).toLowerCase() + sentence.slice(1)
