/** Of the database: all nodes share its clock, while the clocks of their machines may differ, and jump. */
let aheadMs = 0

/** Of this process: it neither jumps nor goes back. */
const ownMs = () => performance.timeOrigin + performance.now()

/** Unix time in milliseconds by the database's clock, as of the last poll; before the first, by this machine's. */
export const databaseTime = () => ownMs() + aheadMs

/** @param seconds since 1970, just read from the database */
export function setDatabaseTime(seconds: number) {
  aheadMs = seconds * 1000 - ownMs()
}
