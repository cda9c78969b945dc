import { StartError } from '../../server/config/start-error.ts'

/** What a check found: a sentence that says how it is, or what to do. */
export interface Finding {
  /** `none`: nothing is wrong, and nothing is there to be checked. */
  state: 'ok' | 'problem' | 'none'
  text: string
}

export const ok = (text: string): Finding => ({ state: 'ok', text })
export const problem = (text: string): Finding => ({ state: 'problem', text })
export const none = (text: string): Finding => ({ state: 'none', text })

const CHECK_TIMEOUT_MS = 15_000

/**
 * Runs a check; what it throws is a problem.
 * @param setting to look at if there is no answer
 */
export async function examine(setting: string, check: () => Promise<Finding[]>): Promise<Finding[]> {
  const { promise: late, resolve } = Promise.withResolvers<Finding[]>()
  const text = `No answer within ${CHECK_TIMEOUT_MS / 1000} seconds. Check ${setting}.`
  const timer = setTimeout(() => resolve([problem(text)]), CHECK_TIMEOUT_MS)
  try {
    return await Promise.race([check(), late])
  } catch (error) {
    const { message } = error as Error
    return [problem(error instanceof StartError ? message : `${asSentence(message)} Check ${setting}.`)]
  } finally {
    clearTimeout(timer)
  }
}

/** A message of a library, which may end with a full stop or not. */
export const asSentence = (message: string) => `${message.trim().replace(/\.+$/, '')}.`
