import { useQuery } from '@tanstack/react-query'
import { t } from '../../../i18n/text.ts'
import { recheckSession } from '../../../session/session.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { myPassword } from '../identity-queries.ts'
import { PasskeyList } from './passkey-list.tsx'
import { TwoFactorPanel } from './two-factor-panel.tsx'

/** Sets up a second factor: an app or a passkey. Lazy-loaded. */
export default function SetupDialog({ onClose }: { onClose: () => void }) {
  const { data: password } = useQuery(myPassword)
  function done() {
    recheckSession()
    onClose()
  }
  return (
    <Dialog title={t('demand.pageTitle')} onClose={onClose}>
      <div className="px-6 pt-1 pb-6 max-wide:px-(--gutter)">
        <TwoFactorPanel heading="h3" onTurnedOn={done} />
        {password?.isSet && (
          <div className="mt-6 border-line border-t pt-5">
            <PasskeyList heading="h3" onAdded={done} />
          </div>
        )}
      </div>
    </Dialog>
  )
}
