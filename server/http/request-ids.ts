import { newId } from '../db/ids.ts'

/** Returns a function that makes the ids of requests, unlike those of any other process: cheaper than a random id for each. */
export function createRequestIds(): () => string {
  const process = newId()
  let count = 0
  return () => `${process}-${++count}`
}
