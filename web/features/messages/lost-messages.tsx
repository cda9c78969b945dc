import { MessageCircleOff } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { showToast } from '../../ui/toast.tsx'
import { discard } from './outbox.ts'
import { useStranded } from './outbox-rows.ts'

/** What was written for a channel that is gone: there is no row to show it in, and it is nowhere else. */
export function LostMessages() {
  const [message, ...others] = useStranded()
  return (
    <div role="status">
      {message && (
        <div className="flex min-h-10 flex-wrap items-center gap-x-2 gap-y-1 border-line border-b bg-sunk px-(--gutter) py-1 text-soft text-ui">
          <MessageCircleOff size={16} className="flex-none text-danger" />
          <p className="flex min-w-0 flex-1 basis-4/5 flex-wrap gap-x-1 wide:basis-0 wide:flex-nowrap">
            <span className="flex-none">
              Not sent, its channel is gone{others.length > 0 && ` (1 of ${others.length + 1})`}:
            </span>
            <bdi className="truncate text-ink" title={message.content}>
              {message.content || 'files'}
            </bdi>
          </p>
          <Button look="line" className="ml-auto pointer-coarse:h-11" onClick={() => copy(message.content)}>
            Copy text
          </Button>
          <Button look="plain" className="pointer-coarse:h-11" onClick={() => discard(message)}>
            Discard
          </Button>
        </div>
      )}
    </div>
  )
}

function copy(text: string) {
  copyText(text).then(
    () => showToast('Text copied'),
    (error) => {
      console.error('Failed to copy:', error)
      showToast('The browser does not let this page copy')
    },
  )
}
