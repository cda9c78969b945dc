import { timeOfMs, timeOfSeconds, timeOfText } from '../common/values.ts'

/** Zulip's exports contain fractional seconds since 1970; third-party tools also write ISO 8601. */
export const timeOf = (value: unknown) =>
  typeof value === 'number' ? (timeOfSeconds(value.toFixed(6)) ?? timeOfMs(value * 1000)) : timeOfText(value)
