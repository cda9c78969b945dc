import { AtSign, SendHorizontal } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import type { Channel } from '#contract/channels'
import { limits } from '#contract/limits'
import { mentionedIn } from '#contract/mentions'
import { contentOf } from '#contract/text'
import { t } from '../../../i18n/text.ts'
import { useIsLive } from '../../../socket/first-connection.ts'
import { isFieldChosen } from '../../../ui/device/buffered-keys.ts'
import { isTouch } from '../../../ui/device/media.ts'
import { isMod } from '../../../ui/device/modifier-key.ts'
import { tooLongText } from '../../../ui/format/too-long.ts'
import { IconButton } from '../../../ui/input/icon-button.tsx'
import { isComposing } from '../../../ui/input/is-composing.ts'
import { keepFocus } from '../../../ui/input/keep-focus.ts'
import { Lazy } from '../../../ui/lazy/lazy.tsx'
import { LazyDialog } from '../../../ui/lazy/lazy-dialog.tsx'
import { nameOf } from '../actions/conversation-context.tsx'
import { insertAtCaret, useAutoHeight } from '../editor/edit-text.ts'
import { formatByKey, pasteLink, useListContinuation } from '../editor/editor-keys.ts'
import { FormatButton, FormatRow } from '../editor/format-row.tsx'
import { pastedFiles } from '../editor/pasted-files.ts'
import { takeUploaded, useAttachments } from '../outbox/attachments.ts'
import { currentDrafts, useDraft } from '../outbox/current-drafts.ts'
import { registerConversation } from '../outbox/open-conversations.ts'
import { enqueue } from '../outbox/outbox.ts'
import { conversationKey, targetOf } from '../outbox/pending-message.ts'
import { useSuggestions } from '../suggestions/use-suggestions.tsx'
import { attach } from './attach.ts'
import { AttachButton } from './attach-button.tsx'
import { useEditLastMessage } from './edit-last-message.ts'
import { ComposerEmoji } from './emoji-button.tsx'
import { attachmentTray, broadcastQuestion, newLineHint, typingLine } from './lazy-parts.ts'
import { useTypingSignal } from './typing-signal.ts'

/** Members, me included, beyond which `@channel` asks first. */
const MOST_UNASKED = 21

interface Props {
  channel: Channel
  /** The parent, for a reply. */
  threadId?: string | null
  /** Whether it appears later than the page: by then the user may be busy with something else. */
  isLate?: boolean
  /** Whether the app redirected the user back here: their keystrokes may be meant for the page they wanted. */
  isBack?: boolean
  /** Whether it takes the focus by itself. */
  canTakeFocus?: boolean
  /** Whether I can no longer write there: the text can be finished, but not sent. */
  isEnded?: boolean
}

/** Enter sends and Shift+Enter starts a new line; on touch screens, Enter starts a new line. */
export function Composer({
  channel,
  threadId = null,
  isLate = false,
  isBack = false,
  canTakeFocus = true,
  isEnded = false,
}: Props) {
  const { id: channelId } = channel
  const to = targetOf({ channelId, threadId, of: nameOf(channel) })
  const id = conversationKey(to)
  const { text, refusal } = useDraft(id)
  const attachments = useAttachments(id)
  const fileInput = useRef<HTMLInputElement>(null)
  const textarea = useRef<HTMLTextAreaElement>(null)
  const problemId = useId()
  const [isAsking, setAsking] = useState(false)
  const reportTyping = useTypingSignal(channelId, threadId)
  const content = contentOf(text)
  const problem = tooLong(content) ?? refusal
  const isReady = attachments.every(({ state }) => state === 'ready')
  const canSend = !isEnded && (content !== '' || attachments.length > 0) && isReady && !tooLong(content)

  // Before that, nobody is known to be typing.
  const isLive = useIsLive()
  const suggestions = useSuggestions(textarea, isEnded ? undefined : channelId)
  const editLast = useEditLastMessage(to)

  useAutoHeight(textarea, text)
  useListContinuation(textarea)
  useEffect(() => registerConversation(id, { focusComposer: () => textarea.current?.focus() }), [id])
  const isArrival = useNavigationType() !== 'POP'
  const { search } = useLocation()
  /** While a thread is open, its composer takes the focus instead of this one. */
  const isBesideThread = !threadId && search.includes('thread=')
  const hasAppeared = useRef(isLate || isBesideThread)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first run depends on how the user came here
  useEffect(() => {
    if (!canTakeFocus || isBesideThread || isBack || isTouch()) return
    // Users open a conversation to write, but the composer must not take the focus from another field, or from
    // a button whose menu is still loading.
    const focused = document.activeElement
    const isElsewhere = hasAppeared.current
      ? focused !== document.body
      : focused?.closest('input, textarea, article, [role=dialog], [data-asked]')
    if (isArrival && !hasAppeared.current ? !isFieldChosen() : !isElsewhere) textarea.current?.focus()
    hasAppeared.current = true
  }, [isBesideThread])

  function write(next: string) {
    currentDrafts().set(id, { text: next, to })
    if (!isEnded) reportTyping(next)
  }

  function send() {
    if (!canSend) return
    // Whoever is one of few is notified without a question.
    if (channel._count.members > MOST_UNASKED && content.includes('@') && mentionedIn(content).broadcast)
      setAsking(true)
    else sendNow()
  }

  function sendNow() {
    setAsking(false)
    currentDrafts().end(id)
    reportTyping('')
    enqueue(to, content, takeUploaded(id))
    textarea.current?.focus()
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (suggestions.onKeyDown(event) || isComposing(event.nativeEvent) || formatByKey(event)) return
    if (isMod(event) && event.key.toLowerCase() === 'u') {
      event.preventDefault()
      return fileInput.current?.click()
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

  const insert = (piece: string) => textarea.current && insertAtCaret(textarea.current, piece)

  function mention() {
    const isInWord = /[\p{L}\p{N}]$/u.test(text.slice(0, textarea.current?.selectionStart))
    // Within a word it would mention nobody.
    insert(isInWord ? ' @' : '@')
  }

  const sendName = threadId ? t('messages.composer.sendReply') : t('messages.composer.send')
  return (
    <div data-region="" className="composer-place pt-0">
      {isAsking && !isEnded && (
        <LazyDialog load={broadcastQuestion} channelId={channelId} onSend={sendNow} onClose={() => setAsking(false)} />
      )}
      {/* Always as high as its text, so that nothing moves when the text appears. */}
      <div className="flex min-h-[22px] items-center text-meta short:min-h-0">
        {problem ? (
          <p id={problemId} role="alert" className="min-w-0 pb-1 text-danger [overflow-wrap:anywhere]">
            {problem}
          </p>
        ) : (
          isLive && <Lazy load={typingLine} isOptional channelId={channelId} threadId={threadId} />
        )}
      </div>
      <div className="field-edge composer-card rounded-l bg-raised">
        <FormatRow textarea={textarea} />
        {attachments.length > 0 && <Lazy load={attachmentTray} to={to} />}
        <textarea
          ref={textarea}
          rows={1}
          dir="auto"
          aria-label={threadId ? t('messages.composer.reply') : t('messages.composer.message')}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? problemId : undefined}
          placeholder={threadId ? t('messages.composer.replyPlaceholder') : t('messages.composer.messagePlaceholder')}
          value={text}
          onChange={({ target }) => write(target.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          onInput={suggestions.onInput}
          onBlur={suggestions.onBlur}
          {...suggestions.aria}
          className="field-sizing-content block max-h-(--most-text) min-h-10 w-full resize-none bg-transparent pt-[11px] ps-4 pe-3 pb-1 outline-none short:min-h-8 short:pt-1.5"
        />
        {suggestions.list}
        <div className="composer-tools flex items-center gap-0.5 ps-2 pe-1.5 pt-0.5 pb-1.5 short:pt-0 short:pb-0.5">
          {!isEnded && <AttachButton input={fileInput} onFiles={(files) => attach(to, files)} />}
          <ComposerEmoji onPick={insert} />
          <IconButton name={t('messages.composer.mention')} onMouseDown={keepFocus} onClick={mention}>
            <AtSign size={16} />
          </IconButton>
          <FormatButton />
          {text.length >= 2 && !isTouch() && <Lazy load={newLineHint} isOptional />}
          <button
            type="button"
            aria-label={sendName}
            data-tip={sendName}
            data-keys="Enter"
            disabled={!canSend}
            onMouseDown={keepFocus}
            onClick={send}
            className="ms-auto grid h-[30px] w-[38px] place-items-center rounded-s bg-pine text-on-pine transition-colors hover:bg-pine-strong disabled:bg-press disabled:text-faint pointer-coarse:h-11 pointer-coarse:w-12"
          >
            <SendHorizontal size={16} className="rtl:-scale-x-100" />
          </button>
        </div>
      </div>
    </div>
  )
}

function tooLong(content: string) {
  const excess = content.length - limits.messageContent
  return excess > 0 ? tooLongText(excess) : undefined
}
