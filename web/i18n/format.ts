import { language, locale } from './language.ts'

/** Formatters are expensive to make: kept per locale and options. */
const kept = new Map<string, unknown>()

function keep<T>(kind: string, options: object, make: (locale: string) => T): T {
  const key = `${kind} ${locale()} ${JSON.stringify(options)}`
  if (!kept.has(key)) kept.set(key, make(locale()))
  return kept.get(key) as T
}

/** Dates and times in the language that is shown. */
export const dateFormat = (options: Intl.DateTimeFormatOptions) =>
  keep('date', options, (locale) => new Intl.DateTimeFormat(locale, options))

export const numberFormat = (options: Intl.NumberFormatOptions = {}) =>
  keep('number', options, (locale) => new Intl.NumberFormat(locale, options))

/** '12 345' */
export const formatNumber = (value: number) => numberFormat().format(value)

export const relativeFormat = (options: Intl.RelativeTimeFormatOptions) =>
  keep('relative', options, (locale) => new Intl.RelativeTimeFormat(locale, options))

/** 'Ada, Bob and Eve' */
export const formatList = (items: Iterable<string>, type: Intl.ListFormatType = 'conjunction') =>
  keep('list', { type }, (locale) => new Intl.ListFormat(listLocale(locale), { type })).format(items)

/** All English is written without the comma before the last item. */
const listLocale = (locale: string) => (locale.startsWith('en') ? 'en-GB' : locale)

/** Compares names as readers of the language sort them. */
export function compareNames(a: string, b: string) {
  // Thousands of names are compared at once.
  if (collator?.language !== language()) {
    collator = { language: language(), compare: new Intl.Collator(locale(), { numeric: true }).compare }
  }
  return collator.compare(a, b)
}

let collator: { language: string; compare: Intl.Collator['compare'] } | undefined
