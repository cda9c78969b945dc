import { useState } from 'react'
import type { Channel } from '#contract/channels'
import { limits } from '#contract/limits'
import { mentionedIn } from '#contract/mentions'
import { contentOf } from '#contract/text'
import { tooLongText } from '../../../ui/format/too-long.ts'
import { takeUploaded, useAttachments } from '../outbox/attachments.ts'
import { currentDrafts, useDraft } from '../outbox/current-drafts.ts'
import { enqueue } from '../outbox/outbox.ts'
import { conversationKey, type Target } from '../outbox/pending-message.ts'
import { useTypingSignal } from './typing-signal.ts'

/** With more members than this, including me, `@channel` asks for confirmation. */
const MOST_UNASKED = 21

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
  const { text, refusal } = useDraft(id)
  const attachments = useAttachments(id)
  const [isAsking, setAsking] = useState(false)
  const reportTyping = useTypingSignal(channel.id, to.threadId)
  const content = contentOf(text)
  const excess = tooLong(content)
  const isReady = attachments.every(({ state }) => state === 'ready')
  const hasAttachments = attachments.length > 0
  const canSend = !isEnded && (content !== '' || hasAttachments) && isReady && !excess

  function write(next: string) {
    currentDrafts().set(id, { text: next, to })
    if (!isEnded) reportTyping(next)
  }

  function send() {
    if (!canSend) return
    // Small channels need no confirmation.
    if (channel._count.members > MOST_UNASKED && content.includes('@') && mentionedIn(content).broadcast)
      setAsking(true)
    else sendNow()
  }

  function sendNow() {
    setAsking(false)
    currentDrafts().end(id)
    reportTyping('')
    enqueue(to, content, takeUploaded(id))
    onSent()
  }

  return {
    text,
    write,
    problem: excess ?? refusal,
    hasAttachments,
    canSend,
    send,
    /** Whether the confirmation for notifying everyone is open. */
    isAsking: isAsking && !isEnded,
    sendNow,
    stopAsking: () => setAsking(false),
  }
}

function tooLong(content: string) {
  const excess = content.length - limits.messageContent
  return excess > 0 ? tooLongText(excess) : undefined
}
