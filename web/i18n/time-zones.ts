/** Where this browser is, as an IANA name such as 'Europe/Berlin'. */
export const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** All that it knows. */
export const allZones = () => Intl.supportedValuesOf('timeZone')
