import { type KeyboardEvent, useRef, useState } from 'react'
import { can } from '#contract/can'
import type { Channel } from '#contract/channels'
import { limits } from '#contract/limits'
import { mentionedIn } from '#contract/mentions'
import { joinQuotes, splitQuotes } from '#contract/quotes'
import { contentOf } from '#contract/text'
import { t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import { tooLongText } from '../../../ui/format/too-long.ts'
import { setAlsoToChannel, useAlsoToChannel } from '../outbox/also-to-channel.ts'
import { takeUploaded, useAttachments } from '../outbox/attachments.ts'
import { currentDrafts, useDraft } from '../outbox/current-drafts.ts'
import { enqueue } from '../outbox/outbox.ts'
import { conversationKey, type Target } from '../outbox/pending-message.ts'
import { useTypingSignal } from './typing-signal.ts'

/** With more members than this, including me, `@channel` asks for confirmation. */
const MOST_UNASKED = 21

/** Whether to notify everyone, or when to send it. */
type Question = 'broadcast' | 'time'

interface Options {
  channel: Channel
  to: Target
  /** Whether I can no longer write here. The text can be edited, but not sent. */
  isEnded: boolean
  onSent: () => void
}

export type UnsentMessage = ReturnType<typeof useUnsentMessage>

/** The message in the composer: its text, whether it can be sent, and functions to change and send it. */
export function useUnsentMessage({ channel, to, isEnded, onSent }: Options) {
  const id = conversationKey(to)
  const { text: whole, refusal } = useDraft(id)
  const { quotes, rest: text } = splitQuotes(whole)
  const attachments = useAttachments(id)
  const also = useAlso(channel, to.threadId)
  const [asking, setAsking] = useState<Question>()
  const reportTyping = useTypingSignal(channel.id, to.threadId)
  const isTyped = useRef(false)
  const content = contentOf(whole)
  const excess = excessIn(content, attachments.length)
  const isReady = attachments.every(({ state }) => state === 'ready')
  const hasAttachments = attachments.length > 0
  const canSend = !isEnded && (content !== '' || hasAttachments) && isReady && !excess

  function write(next: string) {
    isTyped.current = true
    writeWhole(joinQuotes(quotes, next))
    if (!isEnded) reportTyping(next)
  }

  /** Writes a text with its quotes. */
  const writeWhole = (next: string) => currentDrafts().set(id, { text: next, to })

  /** Backspace in an empty field removes the last quote. Returns whether it did. */
  function removeQuoteByKey({ key, repeat }: Pick<KeyboardEvent, 'key' | 'repeat'>) {
    if (key !== 'Backspace' || repeat || text !== '' || quotes.length === 0) return false
    writeWhole(joinQuotes(quotes.slice(0, -1), text))
    return true
  }

  function send() {
    if (!canSend) return
    // Small channels need no confirmation.
    if (channel._count.members > MOST_UNASKED && content.includes('@') && mentionedIn(content).broadcast)
      setAsking('broadcast')
    else sendNow()
  }

  function sendNow() {
    setAsking(undefined)
    isTyped.current = false
    currentDrafts().end(id)
    reportTyping('')
    enqueue(to, content, takeUploaded(id), also?.isChosen)
    also?.choose(false)
    onSent()
  }

  return {
    text,
    content,
    /** The text with the quotes that it begins with. */
    whole,
    writeWhole,
    write,
    removeQuoteByKey,
    /** Whether something was typed since the last message was sent from here. */
    isTyped: () => isTyped.current,
    problem: excess ?? refusal,
    hasAttachments,
    /** Whether to send a reply to the channel as well; undefined where one may not. */
    also,
    canSend,
    send,
    sendNow,
    onScheduled() {
      reportTyping('')
      onSent()
    },
    /** Asks when to send it. */
    schedule: () => canSend && setAsking('time'),
    asking: isEnded ? undefined : asking,
    stopAsking: () => setAsking(undefined),
  }
}

/** The choice to send a reply to the channel as well; undefined where I may not. */
function useAlso(channel: Channel, threadId: string | null) {
  const me = useMe()
  const isChosen = useAlsoToChannel(threadId)
  if (threadId === null || !can.writeIn(channel) || !can.post(me, channel)) return undefined
  return { isChosen, choose: (isChosen: boolean) => setAlsoToChannel(threadId, isChosen) }
}

/** Says what a message has too much of. Only a message that was taken back can bring too many files. */
export function excessIn(content: string, fileCount: number) {
  const excess = content.length - limits.messageContent
  if (excess > 0) return tooLongText(excess)
  return fileCount > limits.attachments ? t('messages.composer.maxFiles', { count: limits.attachments }) : undefined
}
