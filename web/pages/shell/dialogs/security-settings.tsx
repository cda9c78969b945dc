import { useQuery } from '@tanstack/react-query'
import { PasskeyList } from '../../../features/identity/factors/passkey-list.tsx'
import { TwoFactorPanel } from '../../../features/identity/factors/two-factor-panel.tsx'
import { myPassword } from '../../../features/identity/identity-queries.ts'

/** The second factors and passkeys for signing in. */
export function SecuritySettings() {
  const { data: password } = useQuery(myPassword)
  return (
    <>
      <TwoFactorPanel />
      {password?.isSet && (
        <div className="mt-6 border-line border-t pt-5">
          <PasskeyList />
        </div>
      )}
    </>
  )
}
