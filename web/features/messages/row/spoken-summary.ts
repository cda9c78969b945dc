import type { Message } from '#contract/messages'
import type { ShownReaction } from './optimistic-reactions.ts'

/** What a message has beside its text, for those who hear it: its files, how people reacted, how many replies. */
export function besideText(files: Message['files'], reactions: readonly ShownReaction[], replies: number) {
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
