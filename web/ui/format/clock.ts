/** Milliseconds by which this device's clock is behind the server's. */
let lag = 0

/** Notes the server's time, as the `Date` header of an answer that was made just now. */
export const noteServerTime = (date: string | null) => setServerTime(Date.parse(date ?? ''))

/** @param time milliseconds since 1970 by the server's clock, now; NaN changes nothing */
export function setServerTime(time: number) {
  if (!Number.isNaN(time)) lag = time - Date.now()
}

/** Milliseconds since 1970 by the server's clock: those of devices are wrong at times, and all it stores has its times. */
export const serverNow = () => Date.now() + lag
