import { Fingerprint } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../i18n/text.ts'
import { useIdentity } from '../../../me.tsx'
import { fetchPasskeyOptions, signInByPasskey } from '../../../session/sign-in.ts'
import { Button } from '../../../ui/input/button.tsx'
import { identityError } from '../identity-errors.ts'
import { askForPasskey, canUsePasskeys, PasskeyProblem } from './passkey-browser.ts'

/** Signs in with a passkey, where the browser has them. */
export function PasskeyButton() {
  const { refresh } = useIdentity()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  if (!canUsePasskeys()) return null

  async function signIn() {
    setBusy(true)
    setProblem(undefined)
    try {
      await signInByPasskey(await askForPasskey(await fetchPasskeyOptions()))
      if (await refresh()) return
      setProblem(t('signIn.cookies'))
    } catch (failure) {
      setProblem(failure instanceof PasskeyProblem ? failure.message : identityError(failure).text)
    }
    setBusy(false)
  }

  return (
    <>
      <Button variant="line" className="mt-3 h-10 w-full text-[0.875rem]" isBusy={isBusy} onClick={signIn}>
        <Fingerprint size={16} />
        {t('signIn.passkey.action')}
      </Button>
      {problem && (
        <p role="alert" className="mt-2 text-danger text-ui">
          {problem}
        </p>
      )}
    </>
  )
}
