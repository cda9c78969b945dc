import type { LinkPreview, Message } from '#contract/messages'
import { formatNumber } from '../../../i18n/format.ts'
import { t } from '../../../i18n/text.ts'
import type { ShownReaction } from './optimistic-reactions.ts'

interface Summarized {
  files: readonly Pick<Message['files'][number], 'name'>[]
  previews: readonly Pick<LinkPreview, 'title' | 'site'>[]
  /** The sentence that names who pinned it; empty if nobody did. */
  pinnedBy: string
  /** Whether I saved it, and when I am reminded; empty if not. */
  later: string
  reactions: readonly ShownReaction[]
  replies: number
}

/** Describes a message's files, link previews, pin, reactions and replies to screen readers. */
export function spokenSummary({ files, previews, pinnedBy, later, reactions, replies }: Summarized) {
  const comma = t('ui.listComma')
  const names = files.map(({ name }) => name).join(comma)
  const titles = previews.map(({ title, site }) => title || site).join(comma)
  const counts = reactions.map(({ emoji, count }) => `${emoji} ${formatNumber(count)}`).join(comma)
  const sentences = [
    files.length > 0 && t('messages.summary.files', { count: files.length, names }),
    titles !== '' && t('messages.summary.previews', { titles }),
    pinnedBy !== '' && t('messages.summary.pinned', { pinnedBy }),
    later !== '' && t('messages.summary.later', { later }),
    counts !== '' && t('messages.summary.reactions', { counts }),
    replies > 0 && t('messages.summary.replies', { count: replies }),
  ]
  return sentences.filter((sentence) => sentence !== false).join(' ')
}
