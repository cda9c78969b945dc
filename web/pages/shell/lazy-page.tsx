import { type ComponentType, useEffect } from 'react'
import { t } from '../../i18n/text.ts'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { FullPageSpinner } from '../../ui/feedback/spinner.tsx'
import { useLazy } from '../../ui/lazy/lazy.tsx'

interface Props {
  load: () => Promise<{ default: ComponentType }>
  waiting?: string
}

/** A page loaded on demand. Give it a key. */
export function LazyPage({ load, waiting = t('app.loadingSignIn') }: Props) {
  const { Part: Page, failed, fetch } = useLazy(load)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; the function is new with each rendering
  useEffect(() => void fetch(), [])
  if (Page) return <Page />
  if (failed) return <LoadError text={t('errors.unreachable')} retry={fetch} isRetried />
  return <FullPageSpinner>{waiting}</FullPageSpinner>
}
