import { t } from '../../i18n/text.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { useRetry } from '../../ui/feedback/use-retry.ts'
import { Button } from '../../ui/input/button.tsx'

/** Shown when the first requests of the page failed. */
export function UnreachablePage({ retry }: { retry: () => unknown }) {
  useRetry(retry)
  return (
    <div className="flex h-full bg-sunk" role="alert">
      <Notice isPage title={t('app.unreachable')}>
        {t('app.unreachableText')}
        <div>
          <Button variant="line" className="mt-4" onClick={() => retry()}>
            {t('ui.tryAgain')}
          </Button>
        </div>
      </Notice>
    </div>
  )
}
