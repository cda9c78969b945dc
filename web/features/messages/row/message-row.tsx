import { type KeyboardEvent, memo, useId } from 'react'
import { ASSISTANT } from '#contract/ids'
import type { Message } from '#contract/messages'
import type { Me } from '#contract/users'
import { useMe } from '../../../me.tsx'
import { useLongPress } from '../../../ui/device/long-press.ts'
import { Lazy } from '../../../ui/lazy/lazy.tsx'
import { usePlace } from '../actions/conversation-context.tsx'
import { type Action, actionsFor } from '../actions/message-actions.ts'
import { MessagePopup, usePopup } from '../actions/message-popup.tsx'
import { useIsDeleted } from '../actions/pending-deletions.ts'
import { AttachedFiles } from '../content/attached-files.tsx'
import { justOpened, startEdit, useEdit } from '../outbox/open-edits.ts'
import { useAloud } from '../read-aloud/read-aloud.ts'
import { isStreaming } from '../sync/answer-progress.ts'
import { editForm, messageToolbar, streamingAnswer } from './lazy-parts.ts'
import { MessageWords } from './message-body.tsx'
import { shownReactions, toggleReaction, useWishes } from './optimistic-reactions.ts'
import { ReactionChips } from './reaction-chips.tsx'
import { AloudButton } from './read-aloud-button.tsx'
import { RowLayout } from './row-layout.tsx'
import { besideText } from './spoken-summary.ts'
import { ThreadLine } from './thread-summary.tsx'

interface Props {
  message: Message
  continues: boolean
  /** A link led here, a moment ago. */
  isRinged?: boolean
}

/** A message and what one can do with it. */
export const MessageRow = memo(function MessageRow({ message, continues, isRinged = false }: Props) {
  const me = useMe()
  const place = usePlace()
  const wishes = useWishes(message, me.id)
  const isDeleted = useIsDeleted(message)
  const edit = useEdit(message)
  const aloud = useAloud(message)
  const { popup, open, close } = usePopup()
  const id = useId()

  const isEditing = edit?.isOpen === true && edit.where === place.kind
  const openPicker = (anchor: HTMLElement) => open('picker', anchor)
  const all = isDeleted || isEditing ? [] : actionsFor({ message, place, me, openPicker })
  const actions = place.hasLetters ? all : withoutLetters(all)
  const react = actions.find(({ id }) => id === 'react')
  const reading = actions.find(({ id }) => id === 'readAloud' || id === 'stopReading')
  const toggle = (emoji: string) => void toggleReaction(message, emoji, me.id)
  const reactions = isDeleted ? [] : shownReactions(message, wishes, me)
  const replies = place.kind === 'channel' ? message.replyCount : 0
  const beside = besideText(isDeleted ? [] : message.files, reactions, replies)
  const press = useLongPress((row) => actions.length > 0 && open('sheet', row))
  const look = callsMe(message, me) && !isDeleted ? 'calling' : popup ? 'held' : 'plain'
  return (
    <>
      <RowLayout
        data-message={message.id}
        id={id}
        // Read as one sentence: who and when, which is its own label, the text, and what is beside it.
        aria-labelledby={`${id} ${id}-text ${id}-beside`}
        user={message.user}
        time={message.createdAt}
        continues={continues}
        look={isRinged ? 'ringed' : look}
        aria-current={isRinged || undefined}
        aria-busy={isStreaming(message) || undefined}
        isHeld={popup !== undefined && !popup.anchor.matches('article')}
        toolbar={
          actions.length > 0 && (
            <Lazy
              load={messageToolbar}
              actions={actions}
              opened={popup?.kind}
              onMore={(anchor: HTMLElement) => open('menu', anchor)}
            />
          )
        }
        onKeyDown={(event) => actByKey(event, actions)}
        {...press}
      >
        {isEditing ? (
          <Lazy load={editForm} takesKeys={justOpened.has(message.id)} message={message} edit={edit} />
        ) : isDeleted ? (
          <p id={`${id}-text`} className="text-faint italic">
            Message deleted
          </p>
        ) : isStreaming(message) ? (
          <div id={`${id}-text`}>
            <Lazy load={streamingAnswer} waiting={<p className="text-faint">Thinking</p>} message={message} />
          </div>
        ) : (
          <MessageWords
            id={`${id}-text`}
            message={message}
            meId={me.id}
            onContinue={edit && edit.text !== message.content ? () => startEdit(message, place) : undefined}
          />
        )}
        {!isDeleted && message.files.length > 0 && <AttachedFiles files={message.files} />}
        {reading && (aloud || message.userId === ASSISTANT) && <AloudButton action={reading} phase={aloud} />}
        {reactions.length > 0 && (
          <ReactionChips reactions={reactions} me={me} onToggle={place.isMember ? toggle : undefined} add={react} />
        )}
        {beside !== '' && (
          <span hidden id={`${id}-beside`}>
            {beside}
          </span>
        )}
        {replies > 0 && <ThreadLine message={message} open={place.openThread} />}
      </RowLayout>
      {/* Beside the row, whose keys and pointers are not those of what floats over the page. */}
      {popup && <MessagePopup popup={popup} person={me.id} actions={actions} onReact={toggle} onClose={close} />}
    </>
  )
})

/** For users who switched off single-letter shortcuts: they neither work nor appear. */
const withoutLetters = (actions: readonly Action[]): Action[] =>
  actions.map(({ key, ...action }) => (key && key.length > 1 ? { ...action, key } : action))

/** Whether somebody else calls me in it. */
const callsMe = ({ userId, broadcast, mentions }: Message, { id }: Me) =>
  userId !== id && (broadcast !== null || mentions.some((mention) => mention.userId === id))

/** A bare key acts only while the row itself has the focus. */
function actByKey(event: KeyboardEvent<HTMLElement>, actions: readonly Action[]) {
  const { key, target, currentTarget, ctrlKey, metaKey, altKey, shiftKey } = event
  if (target !== currentTarget || ctrlKey || metaKey || altKey || shiftKey) return
  const action = actions.find((one) => one.key?.toLowerCase() === key.toLowerCase())
  if (!action) return
  event.preventDefault()
  action.run(currentTarget)
}
