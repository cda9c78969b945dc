import { shownText } from '#contract/text'
import { storable } from './render-content.ts'

/** Beyond this many times the limit nothing is looked at: joiners take time for each character. */
const LOOKED_AT = 8

/** A name or title of an archive in one line, in normal form, with every character visible, cut to its limit. */
export function tidyName(text: string, max: number): string {
  const shown = shownText(
    storable(text.slice(0, LOOKED_AT * max))
      .normalize('NFC')
      .replace(/\s+/g, ' '),
  ).trim()
  // A cut may leave half of a character, or what only rendered with what follows.
  return shownText(shown.slice(0, max).replace(/[\ud800-\udbff]$/, '')).trim()
}
