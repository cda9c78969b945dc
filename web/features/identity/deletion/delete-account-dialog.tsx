import { useQuery } from '@tanstack/react-query'
import { t } from '../../../i18n/text.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { LoadError } from '../../../ui/feedback/load-error.tsx'
import { SkeletonRows } from '../../../ui/list/skeleton-rows.tsx'
import { myPassword } from '../identity-queries.ts'
import { DeletionForm } from './deletion-form.tsx'

/** Explains what deleting my account means, and asks for my username and password. Lazy-loaded. */
export default function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const { data: password, error, refetch } = useQuery(myPassword)
  return (
    <Dialog title={t('identity.deletion.dialogTitle')} onClose={onClose}>
      <div className="px-6 pt-1 pb-6 max-wide:px-(--gutter)">
        {password && <DeletionForm hasPassword={password.isSet} onCancel={onClose} />}
        {!password && error && <LoadError text={t('ui.loadFailed')} retry={() => void refetch()} />}
        {!password && !error && <SkeletonRows />}
      </div>
    </Dialog>
  )
}
