import { expect, test } from 'vitest'
import { heldOrder } from './thread-order.ts'

test('threads keep their order; new ones come first, the next page last, and gone ones are dropped', () => {
  expect(heldOrder([], ['a', 'b'])).toEqual(['a', 'b'])
  // The list is ordered by latest reply elsewhere; here `b` stays below `a`.
  expect(heldOrder(['a', 'b'], ['b', 'a', 'c'])).toEqual(['a', 'b', 'c'])
  expect(heldOrder(['a', 'b'], ['n', 'm', 'a', 'b'])).toEqual(['n', 'm', 'a', 'b'])
  expect(heldOrder(['a', 'b'], ['n', 'b', 'm', 'a', 'c'])).toEqual(['n', 'm', 'a', 'b', 'c'])
  expect(heldOrder(['n', 'a', 'b'], ['o', 'n', 'a'])).toEqual(['o', 'n', 'a'])
  expect(heldOrder(['a'], ['b', 'c'])).toEqual(['b', 'c'])
})
