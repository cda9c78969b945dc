import { useEffect, useMemo, useState } from 'react'
import type { CustomEmoji } from '#contract/custom-emoji'
import { useCustomEmoji } from '../../../emoji/custom-emoji.ts'
import { EmojiSign } from '../../../emoji/emoji-sign.tsx'
import { t } from '../../../i18n/text.ts'
import { groupBy } from '../../../ui/group-by.ts'
import { type Emoji, matchEmoji } from './match-emoji.ts'
import { SuggestionList } from './suggestion-list.tsx'
import type { SuggestionHost } from './use-suggestions.tsx'

let cachedEmoji: readonly Emoji[] | undefined

/** Suggests emoji by their short name. */
export function EmojiSuggestions({ word, host }: { word: string; host: SuggestionHost }) {
  const [all, setAll] = useState(cachedEmoji)
  useEffect(() => {
    if (cachedEmoji) return
    loadEmoji().then(
      (loaded) => {
        cachedEmoji = loaded
        setAll(loaded)
      },
      (error) => console.error('Failed to load emoji:', error),
    )
  }, [])
  const custom = useCustomEmoji()
  const own = useMemo(() => [...new Set(custom.values())].map(suggestible), [custom])
  const suggestions = matchEmoji(word, [...own, ...(all ?? [])]).map(({ id, native, names }) => ({
    id,
    text: native,
    isNamed: names.includes(word),
    content: (
      <>
        <span className="w-6 flex-none text-center text-[1.125rem] leading-none">
          <EmojiSign emoji={native} />
        </span>
        <span className="min-w-0 truncate text-ink">:{id}:</span>
      </>
    ),
  }))
  return <SuggestionList name={t('messages.suggestions.emoji')} host={host} suggestions={suggestions} />
}

/** An emoji of the workspace, which a text contains as `:name:`. */
const suggestible = ({ name, aliases }: CustomEmoji): Emoji => ({
  id: name,
  native: `:${name}:`,
  names: [name, ...aliases],
  words: [],
  isCustom: true,
})

interface Data {
  emojis: Record<string, { id: string; name: string; keywords: string[]; skins: { native?: string }[] }>
  aliases: Record<string, string>
}

/** The emoji picker uses the same data. */
async function loadEmoji(): Promise<Emoji[]> {
  const { emojis, aliases } = (await import('@emoji-mart/data')).default as Data
  const others = groupBy(Object.keys(aliases), (alias) => aliases[alias] as string)
  // The picker adds those of the workspace.
  const standard = Object.values(emojis).filter(({ skins }) => skins[0]?.native !== undefined)
  return standard.map(({ id, name, keywords, skins }) => ({
    id,
    native: skins[0]?.native ?? '',
    names: [id, ...(others.get(id) ?? [])],
    words: [...name.toLowerCase().split(/[\s,-]+/), ...keywords],
  }))
}
