import type { Message } from '#contract/messages'
import type { ShownReaction } from './optimistic-reactions.ts'

/** Describes a message's files, reactions and replies to screen readers. */
export function spokenSummary(files: Message['files'], reactions: readonly ShownReaction[], replies: number) {
  const named = files.map(({ name }) => name).join(', ')
  const counted = reactions.map(({ emoji, count }) => `${emoji} ${count}`).join(', ')
  return [
    files.length > 0 && `${files.length === 1 ? 'File' : `${files.length} files`}: ${named}`,
    counted !== '' && `Reactions: ${counted}`,
    replies > 0 && (replies === 1 ? '1 reply' : `${replies} replies`),
  ]
    .filter((part) => part !== false)
    .map((part) => `${part}.`)
    .join(' ')
}
