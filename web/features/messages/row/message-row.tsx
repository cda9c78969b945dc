import { type ComponentProps, type KeyboardEvent, memo, useId } from 'react'
import type { Message } from '#contract/messages'
import { logFailure } from '../../../api-client/failure-text.ts'
import { useMeansMe } from '../../../cache/means-me.ts'
import { mentionsMe } from '../../../cache/read-cursor.ts'
import { useLanguage, withTexts } from '../../../i18n/language.ts'
import { t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import { useLongPress } from '../../../ui/device/long-press.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { Lazy } from '../../../ui/lazy/lazy.tsx'
import { useConversation } from '../actions/conversation-context.tsx'
import { type Action, actionsFor } from '../actions/message-actions.ts'
import { MessagePopup, usePopup } from '../actions/message-popup.tsx'
import { useIsDeleted } from '../actions/pending-deletions.ts'
import { type Edit, justOpened, startEdit, useEdit } from '../outbox/open-edits.ts'
import { useAloud } from '../read-aloud/read-aloud.ts'
import { isStreaming } from '../sync/answer-progress.ts'
import { useSavedItem } from '../sync/later-queries.ts'
import { BelowText } from './below-text.tsx'
import { editForm, messageToolbar, streamingAnswer } from './lazy-parts.ts'
import { MessageBody } from './message-body.tsx'
import { RowBoundary } from './row-boundary.tsx'
import { RowLayout } from './row-layout.tsx'

interface Props {
  message: Message
  isGrouped: boolean
  /** Whether the user has just followed a link to it. */
  isHighlighted?: boolean
}

/** A message with its files, reactions, actions and thread. */
export const MessageRow = memo(function MessageRow(props: Props) {
  return (
    <RowBoundary message={props.message} id={props.message.id}>
      <Row {...props} />
    </RowBoundary>
  )
})

function Row({ message, isGrouped, isHighlighted = false }: Props) {
  useLanguage()
  useMeansMe()
  const me = useMe()
  const conversation = useConversation()
  const isDeleted = useIsDeleted(message)
  const edit = useEdit(message)
  const { popup, isFromChip, open, close } = usePopup()
  const id = useId()
  // A deleted message has no actions.
  if (isDeleted && popup) close()

  const isEditing = edit?.isOpen === true && edit.where === conversation.kind
  const actions = useActions(message, isDeleted || isEditing, open)
  const shown = { message, isDeleted, actions }
  const react = (emoji: string) => toggleReaction(message, emoji, me.id)
  const press = useLongPress((row) => actions.length > 0 && open('sheet', row))
  const isMention = !isDeleted && message.userId !== me.id && mentionsMe(message, me.id)
  return (
    <>
      <RowLayout
        data-message={message.id}
        id={id}
        // Screen readers read one sentence: the row's own label (author and time), the text, and the summary.
        aria-labelledby={`${id} ${id}-text ${id}-summary`}
        user={message.user}
        time={message.createdAt}
        isGrouped={isGrouped}
        variant={variantOf(isHighlighted, isMention, popup !== undefined)}
        aria-current={isHighlighted || undefined}
        aria-busy={isStreaming(message) || undefined}
        keepsToolbar={popup !== undefined && !popup.anchor.matches('article')}
        toolbar={
          <Toolbar
            actions={actions}
            opened={isFromChip ? undefined : popup?.kind}
            onReact={react}
            onMore={(at) => open('menu', at)}
          />
        }
        onKeyDown={(event) => actByKey(event, actions)}
        {...press}
      >
        <RowBody id={`${id}-text`} edit={edit} isEditing={isEditing} {...shown} />
        <BelowText id={`${id}-summary`} isPicking={isFromChip} onReact={react} {...shown} />
      </RowLayout>
      {/* Outside the row, whose key and pointer handlers must not receive the popup's events. */}
      {popup && <MessagePopup popup={popup} message={message} actions={actions} onReact={react} onClose={close} />}
    </>
  )
}

/** What one can do with a message: nothing while it is deleted or edited. */
function useActions(message: Message, isLocked: boolean, open: ReturnType<typeof usePopup>['open']) {
  const me = useMe()
  const conversation = useConversation()
  // Whether it is read aloud, or saved, decides which of two actions is offered.
  useAloud(message)
  useSavedItem(message.id)
  if (isLocked) return []
  const actions = actionsFor({ message, conversation, me, open })
  return conversation.hasLetters ? actions : withoutLetters(actions)
}

interface ToolbarProps {
  actions: readonly Action[]
  opened: ComponentProps<typeof MessagePopup>['popup']['kind'] | undefined
  onReact: (emoji: string) => void
  onMore: (anchor: HTMLElement) => void
}

function Toolbar({ actions, ...rest }: ToolbarProps) {
  const me = useMe()
  return actions.length > 0 && <Lazy load={messageToolbar} isOptional actions={actions} person={me.id} {...rest} />
}

interface BodyProps {
  id: string
  message: Message
  edit: Edit | undefined
  isEditing: boolean
  isDeleted: boolean
  actions: readonly Action[]
}

function RowBody({ id, message, edit, isEditing, isDeleted, actions }: BodyProps) {
  const me = useMe()
  const conversation = useConversation()
  if (isEditing && edit)
    return <Lazy load={editForm} buffersKeys={justOpened.has(message.id)} message={message} edit={edit} />
  if (isDeleted) {
    return (
      <p id={id} className="text-faint italic">
        {t('messages.row.deleted')}
      </p>
    )
  }
  if (isStreaming(message)) {
    return (
      <div id={id} className="message-text">
        <Lazy
          load={streamingAnswer}
          waiting={<p className="text-faint">{t('messages.row.thinking')}</p>}
          message={message}
        />
      </div>
    )
  }
  const isUnsaved = edit !== undefined && edit.text !== message.content
  const resume = isUnsaved ? () => startEdit(message, conversation) : undefined
  const history = actions.find(({ id }) => id === 'history')?.run
  return <MessageBody id={id} message={message} meId={me.id} onResumeEdit={resume} onHistory={history} />
}

const toggleReaction = (message: Message, emoji: string, meId: string) =>
  withTexts(() => import('./toggle-reaction.ts')).then(
    ({ toggleReaction }) => toggleReaction(message, emoji, meId),
    (error) => showToast(logFailure(t('messages.failed.changeReaction'), error)),
  )

/** For users who switched off single-letter shortcuts: they neither work nor appear. */
const withoutLetters = (actions: readonly Action[]): Action[] =>
  actions.map(({ key, ...action }) => (key && key.length > 1 ? { ...action, key } : action))

function variantOf(isHighlighted: boolean, isMention: boolean, hasPopup: boolean) {
  if (isHighlighted) return 'highlighted'
  if (isMention) return 'mention'
  return hasPopup ? 'active' : 'plain'
}

/** Single keys run actions only while the row itself has the focus; a key that is held, once. */
function actByKey(event: KeyboardEvent<HTMLElement>, actions: readonly Action[]) {
  const { key, repeat, target, currentTarget, ctrlKey, metaKey, altKey, shiftKey } = event
  if (target !== currentTarget || repeat || ctrlKey || metaKey || altKey || shiftKey) return
  const action = actions.find((action) => action.key?.toLowerCase() === key.toLowerCase())
  if (!action) return
  event.preventDefault()
  action.run(currentTarget)
}
