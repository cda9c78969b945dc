/** How far this device's clock is behind the server's. */
let lagMs = 0

/** Sets the server's time from the `Date` header of a response that just arrived. */
export const noteServerTime = (date: string | null) => setServerTime(Date.parse(date ?? ''))

/** @param time the Unix time in milliseconds; NaN changes nothing */
export function setServerTime(time: number) {
  if (!Number.isNaN(time)) lagMs = time - Date.now()
}

/** Unix time in milliseconds by the server's clock, which all timestamps follow; clocks of devices may be wrong. */
export const serverNow = () => Date.now() + lagMs
