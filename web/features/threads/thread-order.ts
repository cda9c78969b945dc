/**
 * A stable order of the threads on the page: a reply does not move its thread while somebody reads. New threads come first,
 * those of the next page last.
 * @param order the ids shown so far
 * @param ids the ids of all threads to show, latest reply first
 */
export function heldOrder(order: readonly string[], ids: readonly string[]): string[] {
  const listed = new Set(ids)
  const held = order.filter((id) => listed.has(id))
  const known = new Set(held)
  const isNew = (id: string) => !known.has(id)
  const end = ids.findLastIndex((id) => known.has(id)) + 1
  return [...ids.slice(0, end).filter(isNew), ...held, ...ids.slice(end)]
}
