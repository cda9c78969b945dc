import { setDatabaseTime } from '../db/clock.ts'
import type { Logger } from '../process/logger.ts'

/** Second-factor codes are valid for half a minute. */
const MAX_DIFFERENCE_SECONDS = 60

/**
 * Returns a function that records the database's time, in seconds since 1970, for everything that nodes must agree on. Logs when
 * this machine's clock starts to differ: steps of a sign-in use it.
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
