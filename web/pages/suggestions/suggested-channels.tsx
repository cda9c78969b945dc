import { useQuery } from '@tanstack/react-query'
import { Hash, Lock } from 'lucide-react'
import { sharedChannels } from '../../features/channels/cache/channel-queries.ts'
import { matchNames } from '../../features/messages/suggestions/match-names.ts'
import { SuggestionList } from '../../features/messages/suggestions/suggestion-list.tsx'
import type { SuggestionHost } from '../../features/messages/suggestions/use-suggestions.tsx'
import { t } from '../../i18n/text.ts'

const MAX_SUGGESTED = 20

/** Suggests channels by name. Among equal matches, mine come first. */
export function SuggestedChannels({ word, host }: { word: string; host: SuggestionHost }) {
  const { data: channels = [] } = useQuery(sharedChannels)
  const mineFirst = channels.toSorted((a, b) => Number(b.isMember) - Number(a.isMember))
  const suggestions = matchNames(word, mineFirst)
    .slice(0, MAX_SUGGESTED)
    .map(({ id, name, topic, isPrivate }) => {
      const Icon = isPrivate ? Lock : Hash
      return {
        id,
        text: `#${name}`,
        content: (
          <>
            <Icon size={16} className="text-soft" />
            <bdi className="min-w-0 max-w-full flex-none truncate font-[550] text-ink" title={name}>
              {name}
            </bdi>
            <bdi className="min-w-0 truncate text-faint">{topic}</bdi>
          </>
        ),
      }
    })
  return <SuggestionList name={t('suggestions.channels')} host={host} suggestions={suggestions} />
}
