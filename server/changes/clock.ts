import type { Logger } from '../process/logger.ts'

/** Bearer tokens live for an hour, and browsers renew them minutes before. */
const MAX_DIFFERENCE_SECONDS = 60

/**
 * Returns a function that takes the database's time, in seconds since 1970, and logs when the clock of this machine begins to
 * differ from it: then nodes refuse each other's tokens, as if they had expired.
 */
export function watchClock(log: Logger) {
  let isOff = false
  return (databaseNow: number) => {
    const seconds = Math.round(Date.now() / 1000 - databaseNow)
    const wasOff = isOff
    isOff = Math.abs(seconds) > MAX_DIFFERENCE_SECONDS
    if (isOff === wasOff) return
    if (!isOff) log.info('the clock of this machine agrees with the database’s again')
    else
      log.warn(
        `The clock of this machine is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} the database’s, so nodes refuse each other’s tokens (401). Set both by NTP.`,
      )
  }
}
