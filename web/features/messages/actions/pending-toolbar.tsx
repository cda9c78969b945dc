import { MessageSquareReply, SmilePlus } from 'lucide-react'
import { t } from '../../../i18n/text.ts'
import { ToolButton, ToolbarFrame } from './message-toolbar.tsx'

/** The disabled toolbar of a message that is not stored yet. Lazy-loaded. */
export default function PendingToolbar() {
  return (
    <ToolbarFrame>
      <ToolButton name={t('messages.actions.react')} disabled>
        <SmilePlus size={16} />
      </ToolButton>
      <ToolButton name={t('messages.actions.reply')} disabled>
        <MessageSquareReply size={16} />
      </ToolButton>
    </ToolbarFrame>
  )
}
