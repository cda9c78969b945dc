import { type ClipboardEvent, type KeyboardEvent, useEffect, useId, useRef } from 'react'
import type { Channel } from '#contract/channels'
import { t } from '../../../i18n/text.ts'
import { useIsLive } from '../../../socket/first-connection.ts'
import { isTouch } from '../../../ui/device/media.ts'
import { isMod } from '../../../ui/device/modifier-key.ts'
import { isComposing } from '../../../ui/input/is-composing.ts'
import { Lazy } from '../../../ui/lazy/lazy.tsx'
import { LazyDialog } from '../../../ui/lazy/lazy-dialog.tsx'
import { nameOf } from '../actions/conversation-context.tsx'
import { QuotesAbove } from '../content/quotes-above.tsx'
import { useAutoHeight } from '../editor/edit-text.ts'
import { formatByKey, pasteLink, useListContinuation } from '../editor/editor-keys.ts'
import { FormatRow } from '../editor/format-row.tsx'
import { pastedFiles } from '../editor/pasted-files.ts'
import { registerConversation } from '../outbox/open-conversations.ts'
import { conversationKey, type Target, targetOf } from '../outbox/pending-message.ts'
import { useSuggestions } from '../suggestions/use-suggestions.tsx'
import { attach } from './attach.ts'
import { ComposerTools } from './composer-tools.tsx'
import { useEditLastMessage } from './edit-last-message.ts'
import { type Arrival, useFocusOnArrival } from './focus-on-arrival.ts'
import { attachmentTray, broadcastQuestion, scheduledLine, scheduleMessage, typingLine } from './lazy-parts.ts'
import { undoSendByKey } from './undo-send-by-key.ts'
import { type UnsentMessage, useUnsentMessage } from './unsent-message.ts'

interface Props extends Partial<Arrival> {
  channel: Channel
  /** Whether I can no longer write here. The text can be edited, but not sent. */
  isEnded?: boolean
}

/** Enter sends and Shift+Enter starts a new line; on touch screens, Enter starts a new line. */
export function Composer({ channel, isEnded = false, ...arrival }: Props) {
  const { threadId = null, isLate = false, isBack = false, canTakeFocus = true } = arrival
  const { id: channelId } = channel
  const to = targetOf({ channelId, threadId, of: nameOf(channel) })
  const id = conversationKey(to)
  const fileInput = useRef<HTMLInputElement>(null)
  const textarea = useRef<HTMLTextAreaElement>(null)
  const problemId = useId()
  const message = useUnsentMessage({ channel, to, isEnded, onSent: () => textarea.current?.focus() })
  const { text, problem, send, schedule } = message
  const suggestions = useSuggestions(textarea, isEnded ? undefined : channelId)
  const editLast = useEditLastMessage(to)

  useAutoHeight(textarea, text)
  useListContinuation(textarea)
  useEffect(() => registerConversation(id, { focusComposer: () => textarea.current?.focus() }), [id])
  useFocusOnArrival(textarea, { threadId, isLate, isBack, canTakeFocus })

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (suggestions.onKeyDown(event) || isComposing(event.nativeEvent)) return
    if (formatByKey(event) || message.removeQuoteByKey(event) || undoSendByKey(event, id, message.isTyped())) return
    if (isMod(event) && event.key.toLowerCase() === 'u') {
      event.preventDefault()
      return fileInput.current?.click()
    }
    if (isMod(event) && event.shiftKey && event.key === 'Enter') {
      event.preventDefault()
      return schedule()
    }
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event
    if (shiftKey || altKey) return
    const isEdit = key === 'ArrowUp' && !ctrlKey && !metaKey && text === ''
    const isSend = key === 'Enter' && !isTouch()
    if (isSend || (isEdit && editLast())) event.preventDefault()
    if (isSend) send()
  }

  function onPaste(event: ClipboardEvent<HTMLTextAreaElement>) {
    const files = pastedFiles(event)
    if (files.length === 0) return pasteLink(event)
    event.preventDefault()
    if (!isEnded) attach(to, files)
  }

  return (
    <div data-region="" className="composer-place pt-0">
      <OpenQuestion message={message} channel={channel} to={to} />
      <LineAbove problem={problem} problemId={problemId} to={to} />
      <div className="field-edge composer-card rounded-l border-line-strong bg-raised shadow-soft">
        <FormatRow textarea={textarea} />
        <QuotesAbove text={message.whole} onChange={message.writeWhole} />
        {message.hasAttachments && <Lazy load={attachmentTray} to={to} />}
        <textarea
          ref={textarea}
          rows={1}
          dir="auto"
          aria-label={threadId ? t('messages.composer.reply') : t('messages.composer.message')}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? problemId : undefined}
          placeholder={threadId ? t('messages.composer.replyPlaceholder') : t('messages.composer.messagePlaceholder')}
          value={text}
          onChange={({ target }) => message.write(target.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          onInput={suggestions.onInput}
          onBlur={suggestions.onBlur}
          {...suggestions.aria}
          className="field-sizing-content block max-h-(--most-text) min-h-10 w-full resize-none bg-transparent pt-[11px] ps-4 pe-3 pb-1 outline-none short:min-h-8 short:pt-1.5"
        />
        {suggestions.list}
        <ComposerTools
          message={message}
          channel={channel}
          isReply={threadId !== null}
          textarea={textarea}
          fileInput={fileInput}
          onFiles={isEnded ? undefined : (files) => attach(to, files)}
        />
      </div>
    </div>
  )
}

interface QuestionProps {
  message: UnsentMessage
  channel: Channel
  to: Target
}

/** The dialog about the message that is open, if any. */
function OpenQuestion({ message, channel, to }: QuestionProps) {
  const { asking, content, also, sendNow, onScheduled, stopAsking } = message
  if (asking === 'broadcast')
    return <LazyDialog load={broadcastQuestion} channelId={channel.id} onSend={sendNow} onClose={stopAsking} />
  if (asking === 'time')
    return (
      <LazyDialog
        load={scheduleMessage}
        channel={channel}
        to={to}
        content={content}
        alsoToChannel={also?.isChosen ?? false}
        onScheduled={onScheduled}
        onClose={stopAsking}
      />
    )
  return null
}

interface LineProps {
  problem: string | undefined
  problemId: string
  to: Target
}

/** The problem with the text, or who else is typing, and what is scheduled. Reserves its height, so that nothing moves. */
function LineAbove({ problem, problemId, to }: LineProps) {
  // Until the connection is live, nobody is known to be typing.
  const isLive = useIsLive()
  return (
    <div className="flex min-h-[22px] items-center gap-3 text-meta short:min-h-0">
      {problem ? (
        <p id={problemId} role="alert" className="min-w-0 pb-1 text-danger [overflow-wrap:anywhere]">
          {problem}
        </p>
      ) : (
        isLive && <Lazy load={typingLine} isOptional channelId={to.channelId} threadId={to.threadId} />
      )}
      {isLive && !problem && <Lazy load={scheduledLine} isOptional to={to} />}
    </div>
  )
}
