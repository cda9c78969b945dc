import { t } from '../../i18n/text.ts'
import { useOnline } from '../../ui/device/online.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { useRetry } from '../../ui/feedback/use-retry.ts'
import { Button } from '../../ui/input/button.tsx'

/** Shown when the first requests of the page failed, and without a network, when the service worker provides the page. */
export function UnreachablePage({ retry }: { retry: () => unknown }) {
  useRetry(retry)
  const isOnline = useOnline()
  return (
    <div className="flex h-full bg-sunk" role="alert">
      <Notice isPage title={t(isOnline ? 'app.unreachable' : 'app.offline')}>
        {t(isOnline ? 'app.unreachableText' : 'app.offlineText')}
        <div>
          <Button variant="line" className="mt-4" onClick={() => retry()}>
            {t('ui.tryAgain')}
          </Button>
        </div>
      </Notice>
    </div>
  )
}
