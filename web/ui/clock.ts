/** Milliseconds by which this device's clock is behind the server's. */
let lag = 0

/** Notes the server's time, as the `Date` header of an answer that was made just now. */
export function noteServerTime(date: string | null) {
  const time = Date.parse(date ?? '')
  if (!Number.isNaN(time)) lag = time - Date.now()
}

/** Milliseconds since 1970 by the server's clock: those of devices are wrong at times, and all it stores has its times. */
export const serverNow = () => Date.now() + lag
