import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useTitleName } from '../../browser/tab-title.ts'
import { rich } from '../../i18n/text.ts'
import { Logo } from '../../ui/brand.tsx'
import { signInWays } from './identity-queries.ts'

interface Props {
  title: string
  subtitle: ReactNode
  children?: ReactNode
  /** A link to another page, such as from sign-in to sign-up. */
  other?:
    | { text: 'signIn.newHere' | 'signUp.haveAccount' | 'newPassword.signIn'; to: string; state: unknown }
    | undefined
  /** What to do if none of it helps. */
  foot?: ReactNode
}

/** The 400 px column of the sign-in and sign-up pages. */
export function AuthLayout({ title, subtitle, children, other, foot }: Props) {
  const { data: ways } = useQuery(signInWays)
  useTitleName(ways?.workspaceName)
  return (
    <main className="h-full overflow-y-auto bg-sunk p-4">
      {/* Not in the middle of the height, where an error would move everything. */}
      <div className="mx-auto w-full max-w-(--auth) pt-[max(8px,13dvh)] pb-6">
        <p className="flex h-8 items-center gap-2.5 font-[650] text-body tracking-[-0.01em]">
          <Logo size={32} />
          <bdi className="min-w-0 truncate">{ways?.workspaceName}</bdi>
        </p>
        <h1 className="mt-4 [overflow-wrap:anywhere] font-[660] text-title tracking-[-0.02em]">{title}</h1>
        <p className="mb-6 text-pretty text-soft">{subtitle}</p>
        {children}
        {other && (
          <p className="mt-6 text-center text-soft text-ui">
            {rich(other.text, {
              a: (answer) => (
                <Link to={other.to} state={other.state} className="font-[600] text-pine hover:underline">
                  {answer}
                </Link>
              ),
            })}
          </p>
        )}
        {foot && <p className="mt-3 text-balance text-center text-faint text-meta">{foot}</p>}
      </div>
    </main>
  )
}
