interface Page {
  pagination: { hasMore: boolean }
}

/**
 * Fetches all pages of a list: the first one, then the others at once.
 * @param countIn the number of pages according to the first; pages added since are fetched one by one
 */
export async function fetchAllPages<P extends Page>(
  fetchPage: (page: number) => Promise<P>,
  countIn: (first: P) => number,
) {
  const first = await fetchPage(1)
  const others = Array.from({ length: Math.max(0, countIn(first) - 1) }, (_, nth) => fetchPage(nth + 2))
  const pages: [P, ...P[]] = [first, ...(await Promise.all(others))]
  while (pages.at(-1)?.pagination.hasMore) pages.push(await fetchPage(pages.length + 1))
  return pages
}
