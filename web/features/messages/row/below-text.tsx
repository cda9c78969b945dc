import { ASSISTANT } from '#contract/ids'
import type { Message } from '#contract/messages'
import { useMe } from '../../../me.tsx'
import { useConversation } from '../actions/conversation-context.tsx'
import type { Action } from '../actions/message-actions.ts'
import { AttachedFiles } from '../content/attached-files.tsx'
import { useAloud } from '../read-aloud/read-aloud.ts'
import { useSavedItem } from '../sync/later-queries.ts'
import { LinkPreviews, usePreviews } from './link-previews.tsx'
import { shownReactions, useOptimisticReactions } from './optimistic-reactions.ts'
import { PinnedLine, usePinnedBy } from './pinned-line.tsx'
import { ReactionChips } from './reaction-chips.tsx'
import { ReadAloudButton } from './read-aloud-button.tsx'
import { SavedLine, useLaterLabel } from './saved-line.tsx'
import { spokenSummary } from './spoken-summary.ts'
import { ThreadSummary } from './thread-summary.tsx'

interface Props {
  /** The id of the summary that screen readers read. */
  id: string
  message: Message
  isDeleted: boolean
  actions: readonly Action[]
  /** Whether the emoji picker is open at the reactions. */
  isPicking: boolean
  onReact: (emoji: string) => void
}

/** A message's files, the previews of its links, the button that reads it aloud, who pinned it, whether I saved it, its reactions and its thread. */
export function BelowText({ id, message, isDeleted, actions, isPicking, onReact }: Props) {
  const me = useMe()
  const conversation = useConversation()
  const aloud = useAloud(message)
  const optimistic = useOptimisticReactions(message, me.id)
  const files = isDeleted ? [] : message.files
  const reactions = isDeleted ? [] : shownReactions(message, optimistic, me)
  const shownPreviews = usePreviews(message)
  const previews = isDeleted ? [] : shownPreviews
  const replies = conversation.kind === 'channel' ? message.replyCount : 0
  const pin = isDeleted ? undefined : message.pin
  const saved = useSavedItem(message.id)
  const later = useLaterLabel(saved)
  const summary = spokenSummary({ files, previews, pinnedBy: usePinnedBy(pin), later, reactions, replies })
  const react = actions.find(({ id }) => id === 'react')
  const reading = actions.find(({ id }) => id === 'readAloud' || id === 'stopReading')
  return (
    <>
      {files.length > 0 && <AttachedFiles files={files} />}
      {previews.length > 0 && (
        <LinkPreviews
          message={message}
          previews={previews}
          canRemove={message.userId === me.id && conversation.canChange}
        />
      )}
      {reading && (aloud || message.userId === ASSISTANT) && <ReadAloudButton action={reading} phase={aloud} />}
      {pin && <PinnedLine channelId={message.channelId} pin={pin} />}
      {saved && <SavedLine item={saved} label={later} />}
      {reactions.length > 0 && (
        <ReactionChips
          reactions={reactions}
          me={me}
          onToggle={conversation.isMember ? onReact : undefined}
          add={react}
          isPicking={isPicking}
          messageId={message.id}
        />
      )}
      {summary !== '' && (
        <span hidden id={id}>
          {summary}
        </span>
      )}
      {replies > 0 && <ThreadSummary message={message} open={conversation.openThread} />}
    </>
  )
}
