import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser'
import { type Formatters, formatToParts } from 'intl-messageformat'
import { createElement, Fragment, type ReactNode } from 'react'
import type { NoValues, Tag, TextValues } from '#contract/text-values'
import { keepFormat } from './kept-formats.ts'

export type TextId = keyof TextValues

/** A text without values, or the parsed parts of one with values. */
type CompiledText = string | MessageFormatElement[]

/** Some texts of a language: in the built client by number from `start`, so that they need no ids. */
export interface Texts {
  start: number
  numbered: CompiledText[]
  named: Record<string, CompiledText>
}

type Wrap = (children: ReactNode) => ReactNode
type HasTag<V> = Tag extends V[keyof V] ? true : false
/** The texts that are plain strings: those without tags. */
export type PlainTextId = { [Id in TextId]: HasTag<TextValues[Id]> extends true ? never : Id }[TextId]
type Arguments<V> = keyof V extends never ? [values?: NoValues] : [values: V]
type RichValues<V> = { [K in keyof V]: V[K] extends Tag ? Wrap : V[K] extends number ? V[K] : V[K] | ReactNode }

const texts = new Map<string, CompiledText>()
/** The names of the values that choose a form, by text. */
const keywords = new Map<string, Set<string>>()
let locale = 'en'
let direction: 'ltr' | 'rtl' = 'ltr'

/** Forgets the texts of another language. */
export function startTexts(newLocale: string, newDirection: 'ltr' | 'rtl') {
  locale = newLocale
  direction = newDirection
  texts.clear()
  keywords.clear()
}

export function addTexts({ start, numbered, named }: Texts) {
  for (const [at, text] of numbered.entries()) texts.set(String(start + at), text)
  for (const [id, text] of Object.entries(named)) texts.set(id, text)
}

/** The text of an id in the language that is shown. */
export function t<Id extends PlainTextId>(id: Id, ...[values]: Arguments<TextValues[Id]>): string {
  const text = read(id)
  return typeof text === 'string' ? text : format(id, text, values ?? {}).join('')
}

/**
 * A text with parts of React: values may be elements, and each tag wraps its part, as in
 * `{ b: (part) => <b>{part}</b> }`.
 */
export function rich<Id extends TextId>(id: Id, values: RichValues<TextValues[Id]>): ReactNode {
  const text = read(id)
  if (typeof text === 'string') return text
  const wrapped = Object.entries(values).map(([name, value]) => [name, isWrap(value) ? wrapAll(value) : value])
  return createElement(Fragment, null, ...format(id, text, Object.fromEntries(wrapped)))
}

const isWrap = (value: unknown): value is Wrap => typeof value === 'function'
/** As children of their own, the parts need no keys. */
const wrapAll = (wrap: Wrap) => (parts: ReactNode[]) => wrap(createElement(Fragment, null, ...parts))

/** Whether an id that was made at run time, such as that of an error, has a text that is loaded. */
export const isText = (id: string): id is TextId => texts.has(id)

function read(id: string): CompiledText {
  const text = texts.get(id)
  if (text !== undefined) return text
  const error = new Error(`The text '${id}' is not loaded`)
  if (import.meta.env.DEV) throw error
  console.error(error)
  return id
}

function format(id: string, text: MessageFormatElement[], values: object) {
  const own = keywords.get(id) ?? new Set(keywordsIn(text))
  keywords.set(id, own)
  const parts = formatToParts<ReactNode>(text, locale, formatters, NO_STYLES, isolated(values, own))
  return parts.map(({ value }) => value)
}

const formatters: Formatters = {
  getNumberFormat: (locale, options = {}) => keepFormat('number', String(locale), options, Intl.NumberFormat),
  getDateTimeFormat: (locale, options = {}) => keepFormat('date', String(locale), options, Intl.DateTimeFormat),
  getPluralRules: (locale, options = {}) => keepFormat('plural', String(locale), options, Intl.PluralRules),
}
/** Texts use no number or date styles: format.ts formats numbers and dates, and texts receive them as values. */
const NO_STYLES = { number: {}, date: {}, time: {} }

/** The names of the values that choose one of several forms. */
const keywordsIn = (parts: MessageFormatElement[]): string[] =>
  parts.flatMap((part) => {
    if ('children' in part) return keywordsIn(part.children)
    if (!('options' in part)) return []
    return [part.value, ...Object.values(part.options).flatMap(({ value }) => keywordsIn(value))]
  })

/** Letters of the opposite direction. */
const OTHER = { ltr: /[\p{Script=Arabic}\p{Script=Hebrew}]/u, rtl: /(?![\p{Script=Arabic}\p{Script=Hebrew}])\p{L}/u }

/** Isolates values in the other direction, so that they do not reorder the text around them. */
function isolated(values: object, keywords: Set<string>) {
  const entries = Object.entries(values).map(([name, value]) => {
    return [name, typeof value === 'string' && !keywords.has(name) ? isolate(value) : value]
  })
  return Object.fromEntries(entries)
}

/** A part of a sentence, isolated if it is in the other direction. */
export const isolate = (part: string) => (OTHER[direction].test(part) ? `\u2068${part}\u2069` : part)
