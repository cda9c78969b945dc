import { joinQuotes, splitQuotes } from '#contract/quotes'
import { Lazy } from '../../../ui/lazy/lazy.tsx'
import { quoteTray } from './lazy-parts.ts'

interface Props {
  text: string
  onChange: (text: string) => void
}

/** The quotes that a text being written begins with, above its field. */
export function QuotesAbove({ text, onChange }: Props) {
  const { quotes, rest } = splitQuotes(text)
  const remove = (removed: string) =>
    onChange(
      joinQuotes(
        quotes.filter((quote) => quote !== removed),
        rest,
      ),
    )
  return quotes.length > 0 && <Lazy load={quoteTray} quotes={quotes} onRemove={remove} />
}
