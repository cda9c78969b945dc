import type { ReactNode } from 'react'
import type { SignInWays } from '#contract/identity'
import { OrLine } from './or-line.tsx'
import { ProviderButton } from './provider-button.tsx'

interface Props {
  ways: SignInWays | null
  to: string
  invite?: string | undefined
  /** The form to sign in with a password. */
  children: ReactNode
}

/** The provider's button, the password form, or both. */
export function WaysIn({ ways, to, invite, children }: Props) {
  const provider = ways?.provider
  if (!provider) return children
  return (
    <>
      <ProviderButton name={provider.name} to={to} invite={invite} />
      {ways.password && (
        <>
          <OrLine />
          {children}
        </>
      )}
    </>
  )
}
