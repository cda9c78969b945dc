import { timeOfText } from '../common/values.ts'

/** Discord's ids contain their creation time, in milliseconds since 2015. */
export const timeOfId = (id: string) =>
  /^\d{15,20}$/.test(id) ? timeOfText(new Date(Number(BigInt(id) >> 22n) + 1_420_070_400_000).toISOString()) : null
