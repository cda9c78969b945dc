import { type ComponentType, useEffect } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { t } from '../../i18n/text.ts'
import { useBufferedKeys } from '../device/buffered-keys.ts'
import { showToast } from '../feedback/toast.tsx'
import { useLazy } from './lazy.tsx'

type Load<P> = () => Promise<{ default: ComponentType<P> }>

/** A dialog loaded on demand. Give it a key if another one may replace it. */
export function LazyDialog<P extends { onClose: () => void }>({ load, ...props }: P & { load: Load<P> }) {
  const { Part, failed, fetch } = useLazy(load)
  const { onClose } = props
  useBufferedKeys(!Part, onClose)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; the function is new with each rendering
  useEffect(() => {
    if (!Part) void fetch()
  }, [])
  useEffect(() => {
    if (!failed) return
    showToast(t('ui.loadFailed'))
    onClose()
  }, [failed, onClose])
  if (!Part) return null
  return (
    // If it can't be rendered, the page below it stays.
    <ErrorBoundary
      fallback={null}
      onError={(error) => {
        console.error('Failed to show a dialog:', error)
        showToast(t('app.crashed'))
        onClose()
      }}
    >
      <Part {...(props as unknown as P)} />
    </ErrorBoundary>
  )
}
