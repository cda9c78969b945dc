import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { deleteAccount } from '#contract/account'
import type { CallOf } from '#contract/endpoint'
import { ApiError, call } from '../../../api-client/api.ts'
import { failureText } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { useIdentity } from '../../../me.tsx'
import { type Intent, paths } from '../../../paths.ts'
import { fetchMe } from '../../../session/session.ts'
import { signOut } from '../../../session/sign-out.ts'

/** Deletes my account, and then everything of mine in this browser. */
export function useDeletion() {
  const { leave } = useIdentity()
  const navigate = useNavigate()

  async function run(body: CallOf<typeof deleteAccount>['body']) {
    let isCertain = true
    try {
      await call(deleteAccount, { body })
    } catch (error) {
      // The response may have been lost; there is no session any more then.
      if (!isUnclear(error) || (await fetchMe()) !== null) throw error
      isCertain = false
    }
    await signOut(leave)
    if (isCertain) await navigate(paths.signIn, { replace: true, state: { hasDeletedAccount: true } satisfies Intent })
  }

  return useMutation({
    mutationFn: run,
    onError: (failure) => console.error('Failed to delete the account:', failure),
  })
}

/** Whether the account may have been deleted anyway. */
const isUnclear = (error: unknown) => !(error instanceof ApiError) || error.status >= 500

export const deletionProblem = (error: Error) =>
  isUnclear(error) ? t('identity.deletion.unclear') : failureText(t('identity.deletion.failed'), error)
