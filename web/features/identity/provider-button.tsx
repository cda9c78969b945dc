import { useState } from 'react'
import { rich } from '../../i18n/text.ts'
import { signInHosted } from '../../session/sign-in.ts'
import { Button } from '../../ui/input/button.tsx'
import { identityError } from './identity-errors.ts'

interface Props {
  /** The provider's name. */
  name: string
  /** The path to open after signing in. */
  to: string
  invite?: string | undefined
}

/** Goes to the hosted provider, or shows why that failed. */
export function ProviderButton({ name, to, invite }: Props) {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()

  async function go() {
    setBusy(true)
    setProblem(undefined)
    try {
      await signInHosted({ to, invite })
      // The browser is leaving. With the Back button, users return to this page from the back-forward cache.
      window.addEventListener('pageshow', () => setBusy(false), { once: true })
    } catch (error) {
      console.error('Failed to go to the provider:', error)
      setProblem(identityError(error).text)
      setBusy(false)
    }
  }

  return (
    <div>
      <Button variant="line" className="h-10 w-full pointer-coarse:h-11 text-[0.875rem]" disabled={isBusy} onClick={go}>
        <span className="truncate">{rich('signIn.continueWith', { provider: <bdi>{name}</bdi> })}</span>
      </Button>
      {problem && (
        <p role="alert" className="mt-2 text-danger text-ui">
          {problem}
        </p>
      )}
    </div>
  )
}
