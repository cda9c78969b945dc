/**
 * The order in which threads stay on the page: a reply does not move its thread under the reader's hands. New threads
 * come first, those of the next page last.
 * @param order the ids shown so far
 * @param arrived the ids of threads that are on no page yet, newest first
 * @param paged the ids on the pages
 */
export function heldOrder(order: readonly string[], arrived: readonly string[], paged: readonly string[]): string[] {
  const ids = new Set([...arrived, ...paged])
  const held = order.filter((id) => ids.has(id))
  const known = new Set(held)
  const isNew = (id: string) => !known.has(id)
  return [...arrived.filter(isNew), ...held, ...paged.filter(isNew)]
}
