import { EmojiSuggestions } from '../../features/messages/suggestions/emoji-suggestions.tsx'
import type { SuggestionsProps } from '../../features/messages/suggestions/use-suggestions.tsx'
import { SuggestedChannels } from './suggested-channels.tsx'
import { SuggestedPeople } from './suggested-people.tsx'

/** Suggestions for what is typed in the composer. Load it lazily. */
export default function Suggestions({ channelId, trigger: { kind, word }, host }: SuggestionsProps) {
  if (kind === 'person') return <SuggestedPeople channelId={channelId} word={word} host={host} />
  if (kind === 'channel') return <SuggestedChannels word={word} host={host} />
  return <EmojiSuggestions word={word} host={host} />
}
