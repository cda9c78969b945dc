import { MessageSquareReply, SmilePlus } from 'lucide-react'
import { ToolButton, ToolbarFrame } from './message-toolbar.tsx'

/** Of a message that the server does not know yet. Lazy-loaded. */
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
