import { useEffect, useRef } from 'react'
import { t } from '../../i18n/text.ts'
import { Button } from '../input/button.tsx'
import { Notice } from './notice.tsx'

interface Props {
  /** Called to render the part again, without the cached data that may have caused the error. */
  retry: () => void
  /** Opens #general; undefined if it is unknown or already open. */
  toGeneral?: (() => void) | undefined
  /** Whether it is the only content of the page. */
  isPage?: boolean
}

/** Shown instead of a part of the page that can't be rendered, with ways out. */
export function Crash({ retry, toGeneral, isPage = false }: Props) {
  const again = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // What had the focus may be gone.
    if (document.activeElement === document.body) again.current?.focus()
  }, [])
  return (
    <Notice isPage={isPage} title={t('app.crashed')}>
      <p>{t('app.draftsKept')}</p>
      <div className="mt-4 flex flex-wrap justify-center gap-2">
        <Button ref={again} variant="pine" onClick={retry}>
          {t('ui.tryAgain')}
        </Button>
        <Button variant="line" onClick={() => location.reload()}>
          {t('app.reload')}
        </Button>
        {toGeneral && (
          <Button variant="line" onClick={toGeneral}>
            {t('app.toGeneral')}
          </Button>
        )}
      </div>
    </Notice>
  )
}
