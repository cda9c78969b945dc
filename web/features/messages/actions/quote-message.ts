import type { Message } from '#contract/messages'
import { joinQuotes, quoteOf, splitQuotes } from '#contract/quotes'
import { t } from '../../../i18n/text.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { MAX_QUOTES } from '../content/quotes.ts'
import { currentDrafts } from '../outbox/current-drafts.ts'
import { focusComposer } from '../outbox/open-conversations.ts'
import { conversationKey, type Target } from '../outbox/pending-message.ts'

/** Quotes a message in the draft of a conversation. Lazy-loaded. */
export function quoteInto(to: Target, { channelId, id: messageId }: Pick<Message, 'channelId' | 'id'>) {
  const key = conversationKey(to)
  const drafts = currentDrafts()
  const { quotes, rest } = splitQuotes(drafts.get(key).text)
  const quote = quoteOf({ channelId, messageId }, t('messages.quote.label'))
  if (quotes.length >= MAX_QUOTES) return showToast(t('messages.quote.tooMany', { max: MAX_QUOTES }))
  if (!quotes.includes(quote)) drafts.set(key, { text: joinQuotes([...quotes, quote], rest), to })
  // After two frames the menu has closed and returned the focus.
  requestAnimationFrame(() => requestAnimationFrame(() => focusComposer(key)))
}
