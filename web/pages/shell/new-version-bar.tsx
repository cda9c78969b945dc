import { RefreshCw } from 'lucide-react'
import { t } from '../../i18n/text.ts'
import { useHasNewVersion } from '../../realtime/new-version.ts'
import { Button } from '../../ui/input/button.tsx'

/** Offers to reload for a new version, if the page could not do so automatically. */
export function NewVersionBar() {
  const isReplaced = useHasNewVersion()
  return (
    <div role="status">
      {isReplaced && (
        <div className="flex min-h-10 items-center gap-2 border-line border-b bg-sunk px-(--gutter) py-1 text-soft text-ui">
          <RefreshCw size={16} className="flex-none text-pine" />
          <p className="min-w-0 flex-1">{t('app.newVersion')}</p>
          <Button variant="line" className="pointer-coarse:h-11" onClick={() => location.reload()}>
            {t('app.reload')}
          </Button>
        </div>
      )}
    </div>
  )
}
