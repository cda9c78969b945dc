import type { Message } from '#contract/messages'
import { formatNumber } from '../../../i18n/format.ts'
import { t } from '../../../i18n/text.ts'
import type { ShownReaction } from './optimistic-reactions.ts'

/** Describes a message's files, reactions and replies to screen readers. */
export function spokenSummary(files: Message['files'], reactions: readonly ShownReaction[], replies: number) {
  const comma = t('ui.listComma')
  const names = files.map(({ name }) => name).join(comma)
  const counts = reactions.map(({ emoji, count }) => `${emoji} ${formatNumber(count)}`).join(comma)
  const sentences = [
    files.length > 0 && t('messages.summary.files', { count: files.length, names }),
    counts !== '' && t('messages.summary.reactions', { counts }),
    replies > 0 && t('messages.summary.replies', { count: replies }),
  ]
  return sentences.filter((sentence) => sentence !== false).join(' ')
}
