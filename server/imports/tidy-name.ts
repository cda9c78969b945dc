import { shownText } from '#contract/text'
import { storable } from './render-content.ts'

/** Input beyond this many times the limit is ignored: joiners take time per character. */
const LOOKED_AT = 8

/** A name or title of an archive: one line, normalized, every character visible, truncated to its limit. */
export function tidyName(text: string, max: number): string {
  const shown = shownText(
    storable(text.slice(0, LOOKED_AT * max))
      .normalize('NFC')
      .replace(/\s+/g, ' '),
  ).trim()
  // Truncation may leave half of a character, or one that only renders with its successor.
  return shownText(shown.slice(0, max).replace(/[\ud800-\udbff]$/, '')).trim()
}
