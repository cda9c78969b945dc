import { keepFormat } from './kept-formats.ts'
import { language, locale } from './language.ts'

/** Dates and times in the language that is shown. */
export const dateFormat = (options: Intl.DateTimeFormatOptions) =>
  keepFormat('date', locale(), options, Intl.DateTimeFormat)

export const numberFormat = (options: Intl.NumberFormatOptions = {}) =>
  keepFormat('number', locale(), options, Intl.NumberFormat)

/** '12 345' */
export const formatNumber = (value: number) => numberFormat().format(value)

/** 'Ada, Bob and Eve' */
export const formatList = (items: Iterable<string>) =>
  keepFormat('list', listLocale(locale()), {}, Intl.ListFormat).format(items)

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
