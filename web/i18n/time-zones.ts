/** The browser's time zone, as an IANA name such as 'Europe/Berlin'. */
export const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** All time zones that the browser knows. */
export const allZones = () => Intl.supportedValuesOf('timeZone')
