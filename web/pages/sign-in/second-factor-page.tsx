// Registers the check for a new version, in case a script of this one is gone.
import '../../realtime/new-version.ts'
import { useQuery } from '@tanstack/react-query'
import { AuthLayout } from '../../features/identity/auth-layout.tsx'
import { PasskeyList } from '../../features/identity/factors/passkey-list.tsx'
import { TwoFactorPanel } from '../../features/identity/factors/two-factor-panel.tsx'
import { myPassword } from '../../features/identity/identity-queries.ts'
import { t } from '../../i18n/text.ts'
import { loadSignOut, useIdentity } from '../../me.tsx'
import { restartSession } from '../../session/session.ts'
import { Button } from '../../ui/input/button.tsx'

/** Shown to users who have to set up a second factor. They see nothing else before that. */
export default function SecondFactorPage() {
  const { data: password } = useQuery(myPassword)
  const { leave } = useIdentity()

  async function signOut() {
    const { signOut } = await loadSignOut()
    await signOut(leave)
  }

  // The token of this page permits nothing else, so the session restarts with a new one.
  return (
    <AuthLayout title={t('demand.pageTitle')} subtitle={t('demand.pageText')}>
      <TwoFactorPanel heading="h2" onTurnedOn={restartSession} />
      {password?.isSet && (
        <div className="mt-6 border-line border-t pt-5">
          <PasskeyList heading="h2" onAdded={restartSession} />
        </div>
      )}
      <Button className="-ms-3 mt-6" onClick={() => void signOut()}>
        {t('identity.signOut.button')}
      </Button>
    </AuthLayout>
  )
}
