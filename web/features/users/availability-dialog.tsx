import { t } from '../../i18n/text.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { AvailabilityChoice } from './availability-choice.tsx'

/** Lazy-loaded. */
export default function AvailabilityDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t('users.availability.title')} onClose={onClose}>
      <div className="px-6 pt-1 pb-6 max-wide:px-(--gutter)">
        <AvailabilityChoice />
      </div>
    </Dialog>
  )
}
