import { newId } from '../db/ids.ts'

/** Returns a generator of request ids that are unique across processes, which is cheaper than a random id for each. */
export function createRequestIds(): () => string {
  const process = newId()
  let count = 0
  return () => `${process}-${++count}`
}
