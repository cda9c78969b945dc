import { Paperclip } from 'lucide-react'
import { t } from '../../../i18n/text.ts'

/** Covers a conversation while files are dragged over it. */
export default function DropSign({ isThread }: { isThread: boolean }) {
  return (
    <div className="pointer-events-none absolute inset-2 z-20 grid place-items-center rounded-xl border-2 border-pine border-dashed bg-paper/90">
      <p className="flex items-center gap-2 font-[620] text-body text-pine">
        <Paperclip size={20} />
        {isThread ? t('messages.composer.dropReply') : t('messages.composer.dropMessage')}
      </p>
    </div>
  )
}
