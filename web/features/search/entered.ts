import type { Edited } from './split-query.ts'

/** Enter, pressed before the results were there: it waits for them. */
export interface Entered {
  /** The whole query, with its filters, for which it was pressed. */
  query: string
  /** The text as it was then. */
  at: Edited
  /** What has been typed since, behind the caret. */
  more: string
}

/**
 * What a change of the text makes of an Enter that still waits. People press it and type on before they look: that does not
 * undo it. Who changes the text before it wants something else: undefined.
 */
export function typeOn(entered: Entered, { text }: Edited): Entered | undefined {
  const { at } = entered
  const [before, after] = [at.text.slice(0, at.caret), at.text.slice(at.caret)]
  const isBehind = text.length >= at.text.length && text.startsWith(before) && text.endsWith(after)
  return isBehind ? { ...entered, more: text.slice(before.length, text.length - after.length) } : undefined
}

/**
 * The text with what was typed on behind an Enter: where it was typed, or behind what Enter completed. Only typing tells a
 * page where the caret is, so while the text is still the same, Enter knows better.
 */
export const typedOn = ({ at, more }: Entered, edited: Edited) => withMore(edited.text === at.text ? at : edited, more)

/** The text with something typed at its caret. */
const withMore = ({ text, caret }: Edited, more: string): Edited => ({
  text: text.slice(0, caret) + more + text.slice(caret),
  caret: caret + more.length,
})
