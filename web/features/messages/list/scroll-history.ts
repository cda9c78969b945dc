/** Where a list was left: a message and how far its bottom edge lay below the top of the view; or its end. */
export type ReadingPlace = { id: string; at: number } | 'end'

/** By the entry of the browser's history that one went on from, so that 'Back' leads there. */
const places = new Map<string, ReadingPlace>()

export const leavePlace = (entry: string, place: ReadingPlace) => void places.set(entry, place)

/** Whether one may come back to a place. */
export const wasLeft = (entry: string) => places.has(entry)

/** One comes back once; from there on it is another place. */
export function returnTo(entry: string) {
  const place = places.get(entry)
  places.delete(entry)
  return place
}
