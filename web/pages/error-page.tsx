import type { FallbackProps } from 'react-error-boundary'
import { t } from '../i18n/text.ts'
import { Notice } from '../ui/feedback/notice.tsx'
import { Button } from '../ui/input/button.tsx'

/** Shown when rendering the page threw an error. */
export function ErrorPage({ resetErrorBoundary }: FallbackProps) {
  return (
    <div className="flex h-full" role="alert">
      <Notice isPage title={t('app.crashed')}>
        <Button variant="line" className="mt-4" onClick={resetErrorBoundary}>
          {t('ui.tryAgain')}
        </Button>
      </Notice>
    </div>
  )
}
