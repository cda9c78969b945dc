import { useState } from 'react'
import { signInHosted } from '../../session/sign-in.ts'
import { Button } from '../../ui/input/button.tsx'
import { identityError } from './identity-errors.ts'

interface Props {
  /** The provider's. */
  name: string
  /** Where to go on afterwards. */
  to: string
  invite?: string | undefined
}

/** Leads to the hosted provider; says why where it cannot. */
export function ProviderButton({ name, to, invite }: Props) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()

  async function go() {
    setBusy(true)
    setProblem(undefined)
    try {
      await signInHosted({ to, invite })
      // The browser is on its way; who comes back by its own button finds the page as it was.
      window.addEventListener('pageshow', () => setBusy(false), { once: true })
    } catch (error) {
      console.error('Could not go to the provider:', error)
      setProblem(identityError(error).text)
      setBusy(false)
    }
  }

  return (
    <div>
      <Button look="line" className="h-10 w-full pointer-coarse:h-11 text-[0.875rem]" disabled={busy} onClick={go}>
        <span className="truncate">
          Continue with <bdi>{name}</bdi>
        </span>
      </Button>
      {problem && (
        <p role="alert" className="mt-2 text-danger text-ui">
          {problem}
        </p>
      )}
    </div>
  )
}
