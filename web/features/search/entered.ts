import type { Edited } from './split-query.ts'

/** An Enter that was pressed before the results arrived, and waits for them. */
export interface Entered {
  /** The whole query, with its filters, for which it was pressed. */
  query: string
  /** The text as it was then. */
  at: Edited
  /** The text typed since, after the caret. */
  more: string
}

/**
 * Updates a waiting Enter after a change of the text. People type on before they look, so text after the caret keeps it; any
 * other change cancels it and returns undefined.
 */
export function typeOn(entered: Entered, { text }: Edited): Entered | undefined {
  const { at } = entered
  const [before, after] = [at.text.slice(0, at.caret), at.text.slice(at.caret)]
  const isBehind = text.length >= at.text.length && text.startsWith(before) && text.endsWith(after)
  return isBehind ? { ...entered, more: text.slice(before.length, text.length - after.length) } : undefined
}

/**
 * Adds the text typed after an Enter: where it was typed, or after the filter that Enter completed. `edited.caret` is only
 * updated by typing, so while the text is still the same, the caret of the Enter is more accurate.
 */
export const typedOn = ({ at, more }: Entered, edited: Edited) => withMore(edited.text === at.text ? at : edited, more)

/** The text with something typed at its caret. */
const withMore = ({ text, caret }: Edited, more: string): Edited => ({
  text: text.slice(0, caret) + more + text.slice(caret),
  caret: caret + more.length,
})
