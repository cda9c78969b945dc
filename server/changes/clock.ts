import { setDatabaseTime } from '../db/clock.ts'
import type { Logger } from '../process/logger.ts'

/** Codes of a second factor live for half a minute. */
const MAX_DIFFERENCE_SECONDS = 60

/**
 * Returns a function that takes the database's time, in seconds since 1970, for all that several nodes must agree on. Logs
 * when the clock of this machine begins to differ from it: steps of a sign-in go by this machine's.
 */
export function watchClock(log: Logger) {
  let isOff = false
  return (databaseNow: number) => {
    setDatabaseTime(databaseNow)
    const seconds = Math.round(Date.now() / 1000 - databaseNow)
    const wasOff = isOff
    isOff = Math.abs(seconds) > MAX_DIFFERENCE_SECONDS
    if (isOff === wasOff) return
    if (!isOff) log.info('the clock of this machine agrees with the database’s again')
    else
      log.warn(
        `The clock of this machine is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} the database’s, so people may be unable to sign in here. Set both by NTP.`,
      )
  }
}
