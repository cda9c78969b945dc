import { t } from '../../i18n/text.ts'
import { Button } from '../input/button.tsx'
import { useRetry } from './use-retry.ts'

interface Props {
  text: string
  /** Resolves when the attempt is over. */
  retry: () => unknown
  /** Whether to also retry automatically. */
  isRetried?: boolean
}

/** Reports that something could not be loaded, with a button to retry. */
export function LoadError({ text, retry, isRetried = false }: Props) {
  useRetry(retry, isRetried ? 'failed' : 'idle')
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-3 py-6 text-danger text-ui">
      {text}
      <Button variant="line" onClick={() => void retry()}>
        {t('ui.tryAgain')}
      </Button>
    </div>
  )
}
