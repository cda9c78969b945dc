import { type KeyboardEvent, memo, useId } from 'react'
import { ASSISTANT } from '#contract/ids'
import type { Message } from '#contract/messages'
import type { Me } from '#contract/users'
import { useMe } from '../../../me.tsx'
import { useLongPress } from '../../../ui/device/long-press.ts'
import { Late } from '../../../ui/lazy/lazy.tsx'
import { usePlace } from '../actions/conversation-context.tsx'
import { type Actions, actionsFor } from '../actions/message-actions.ts'
import { MessagePopup, usePopup } from '../actions/message-popup.tsx'
import { justOpened, startEdit, useEdit } from '../actions/open-edits.ts'
import { useIsDeleted } from '../actions/pending-deletions.ts'
import { AttachedFiles } from '../content/attached-files.tsx'
import { useAloud } from '../read-aloud/read-aloud.ts'
import { isGrowing } from '../sync/answer-progress.ts'
import { MessageWords } from './message-body.tsx'
import { shownReactions, toggleReaction, useWishes } from './optimistic-reactions.ts'
import { ReactionChips } from './reaction-chips.tsx'
import { AloudButton } from './read-aloud-button.tsx'
import { RowLayout } from './row-layout.tsx'
import { besideText } from './spoken-summary.ts'
import { ThreadLine } from './thread-summary.tsx'

const growingWords = () => import('./streaming-answer.tsx')
export const editBox = () => import('./edit-form.tsx')
export const messageToolbar = () => import('../actions/message-toolbar.tsx')

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
  const all: Actions = isDeleted || isEditing ? {} : actionsFor(message, place, me, (anchor) => open('picker', anchor))
  const actions = place.hasLetters ? all : withoutLetters(all)
  const toggle = (emoji: string) => void toggleReaction(message, emoji, me.id)
  const reactions = isDeleted ? [] : shownReactions(message, wishes, me)
  const replies = place.kind === 'channel' ? message.replyCount : 0
  const beside = besideText(isDeleted ? [] : message.files, reactions, replies)
  const press = useLongPress((row) => hasAny(actions) && open('sheet', row))
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
        aria-busy={isGrowing(message) || undefined}
        status={place.Status && <place.Status userId={message.userId} />}
        isHeld={popup !== undefined && !popup.anchor.matches('article')}
        toolbar={
          hasAny(actions) && (
            <Late
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
          <Late load={editBox} takesKeys={justOpened.has(message.id)} message={message} edit={edit} />
        ) : isDeleted ? (
          <p id={`${id}-text`} className="text-faint italic">
            Message deleted
          </p>
        ) : isGrowing(message) ? (
          <div id={`${id}-text`}>
            <Late load={growingWords} waiting={<p className="text-faint">Thinking</p>} message={message} />
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
        {actions.aloud && (aloud || message.userId === ASSISTANT) && (
          <AloudButton action={actions.aloud} phase={aloud} />
        )}
        {reactions.length > 0 && (
          <ReactionChips
            reactions={reactions}
            me={me}
            onToggle={place.isMember ? toggle : undefined}
            add={actions.react}
          />
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

const hasAny = (actions: Actions) => Object.keys(actions).length > 0

/** For those who switched them off: neither heard nor written beside a name. */
function withoutLetters(actions: Actions): Actions {
  const listed = Object.entries(actions).map(([name, { key, ...action }]) => [
    name,
    key && key.length > 1 ? { ...action, key } : action,
  ])
  return Object.fromEntries(listed)
}

/** Whether somebody else calls me in it. */
const callsMe = ({ userId, broadcast, mentions }: Message, { id }: Me) =>
  userId !== id && (broadcast !== null || mentions.some((mention) => mention.userId === id))

/** A bare key acts only while the row itself has the focus. */
function actByKey(event: KeyboardEvent<HTMLElement>, actions: Actions) {
  const { key, target, currentTarget, ctrlKey, metaKey, altKey, shiftKey } = event
  if (target !== currentTarget || ctrlKey || metaKey || altKey || shiftKey) return
  const action = Object.values(actions).find((it) => it.key?.toLowerCase() === key.toLowerCase())
  if (!action) return
  event.preventDefault()
  action.act(currentTarget)
}
