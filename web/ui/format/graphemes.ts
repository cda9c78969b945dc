let segmenter: Intl.Segmenter | undefined
/** Each of these characters is a grapheme. The segmenter takes a hundred times as long. */
const SIMPLE = /^[ -~]*$/

/** The characters as readers count them: a family emoji, or a letter with its marks, is one. */
export function graphemesOf(text: string): string[] {
  if (SIMPLE.test(text)) return text.split('')
  segmenter ??= new Intl.Segmenter()
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** Truncates a text to a number of characters, with an ellipsis. */
export function cutText(text: string, maxCharacters: number): string {
  const graphemes = graphemesOf(text)
  if (graphemes.length <= maxCharacters) return text
  return `${graphemes
    .slice(0, maxCharacters - 1)
    .join('')
    .trimEnd()}…`
}
