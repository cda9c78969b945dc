/** The lists on screen, by their box (the id of the channel or, in a thread, of the parent): how to bring a row into view. */
const lists = new Map<string, (messageId: string) => void>()

/** Says that the list of a box is on screen; answers how to take that back. */
export function showList(box: string, show: (messageId: string) => void) {
  lists.set(box, show)
  return () => void lists.delete(box)
}

/** Scrolls the list of a box so that the row of a message is drawn and in view. */
export const revealMessage = (box: string, messageId: string) => lists.get(box)?.(messageId)
