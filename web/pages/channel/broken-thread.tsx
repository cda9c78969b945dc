import { t } from '../../i18n/text.ts'
import { SidePanel } from '../../ui/dialog/side-panel.tsx'
import { Crash } from '../../ui/feedback/crash.tsx'

interface Props {
  retry: () => void
  onClose: () => void
}

/** Shown instead of a thread that can't be rendered. Lazy-loaded. */
export default function BrokenThread({ retry, onClose }: Props) {
  return (
    <SidePanel
      title={t('messages.thread.title')}
      of={undefined}
      closeName={t('messages.thread.close')}
      onClose={onClose}
    >
      <div role="alert" className="flex min-h-0 flex-1">
        <Crash retry={retry} />
      </div>
    </SidePanel>
  )
}
