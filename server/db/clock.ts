/** The database's clock, relative to this process: nodes share it, while the clocks of their machines may differ and jump. */
let aheadMs = 0

/** This process's monotonic time. */
const ownMs = () => performance.timeOrigin + performance.now()

/** Unix time in milliseconds by the database's clock, as of the last poll; before the first poll, by this machine's. */
export const databaseTime = () => ownMs() + aheadMs

/** @param seconds since 1970, just read from the database */
export function setDatabaseTime(seconds: number) {
  aheadMs = seconds * 1000 - ownMs()
}
