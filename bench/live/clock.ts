// The first call takes milliseconds, so make it in advance.
performance.now()
const base = Number(process.hrtime.bigint()) / 1e6 - performance.now()

/** Milliseconds of the monotonic clock, which all processes of this machine share. */
export const now = () => base + performance.now()
