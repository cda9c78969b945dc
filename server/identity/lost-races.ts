import { databaseFailure } from '../db/database.ts'
import { internal } from '../errors.ts'
import { isRefusedByDatabase } from './library-log.ts'
import type { SignInAttempt } from './passwords.ts'

/**
 * Repeats a sign-up that lost a race for its username, its address, an invite or the workspace: the second attempt fails with
 * the regular error. The library answers 422 whatever went wrong, and gives the reason only in its log.
 * @throws AppError 503, 507 or 500 if the database failed for another reason
 */
export async function repeatLostSignUp(attempt: SignInAttempt, answer: () => Promise<Response>): Promise<Response> {
  const response = await answer()
  const { failure, isRepeated } = attempt
  if (response.status !== 422 || !failure) return response
  if (!isRefusedByDatabase(failure)) throw databaseFailure(failure) ?? internal()
  if (isRepeated) return response
  Object.assign(attempt, { failure: undefined, isRepeated: true })
  return repeatLostSignUp(attempt, answer)
}
