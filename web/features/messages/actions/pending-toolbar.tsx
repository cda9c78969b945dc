import { MessageSquareReply, SmilePlus } from 'lucide-react'
import { ToolButton, ToolbarFrame } from './message-toolbar.tsx'

/** The disabled toolbar of a message that is not stored yet. Lazy-loaded. */
export default function PendingToolbar() {
  return (
    <ToolbarFrame>
      <ToolButton name="Add reaction" disabled>
        <SmilePlus size={16} />
      </ToolButton>
      <ToolButton name="Reply in thread" disabled>
        <MessageSquareReply size={16} />
      </ToolButton>
    </ToolbarFrame>
  )
}
