import { expect, test } from 'vitest'
import { fetchAllPages } from './fetch-all-pages.ts'

/** A list whose number of `pages` may grow. Records requests, and answers those of each round trip. */
function aList(pages: number) {
  const open: { page: number; answer: () => void }[] = []
  const list = {
    pages,
    fetchPage: (page: number) =>
      new Promise<{ page: number; pagination: { hasMore: boolean } }>((resolve) =>
        open.push({ page, answer: () => resolve({ page, pagination: { hasMore: page < list.pages } }) }),
      ),
    /** Answers the requests that are open, and returns their pages. */
    async answer() {
      const round = open.splice(0)
      for (const { answer } of round) answer()
      await new Promise((resolve) => setTimeout(resolve))
      return round.map(({ page }) => page)
    },
  }
  return list
}

test('after the first page all others are requested at once, and returned in order', async () => {
  const list = aList(20)
  const all = fetchAllPages(list.fetchPage, () => 20)
  expect(await list.answer()).toEqual([1])
  expect(await list.answer()).toEqual(Array.from({ length: 19 }, (_, nth) => nth + 2))
  expect((await all).map(({ page }) => page)).toEqual(Array.from({ length: 20 }, (_, nth) => nth + 1))
})

test('pages added in the meantime are fetched as well; a list of one page takes one request', async () => {
  const list = aList(2)
  const all = fetchAllPages(list.fetchPage, () => 2)
  await list.answer()
  list.pages = 4
  expect([await list.answer(), await list.answer(), await list.answer()]).toEqual([[2], [3], [4]])
  expect(await all).toHaveLength(4)

  const short = aList(1)
  const one = fetchAllPages(short.fetchPage, () => 1)
  await short.answer()
  expect(await one).toHaveLength(1)
})
