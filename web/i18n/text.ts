import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser'
import { IntlMessageFormat } from 'intl-messageformat'
import { createElement, Fragment, type ReactNode } from 'react'
import type { NoValues, Tag, TextValues } from '#contract/text-values'

export type TextId = keyof TextValues

/** A text without values, or the parsed parts of one with values. */
export type CompiledText = string | ConstructorParameters<typeof IntlMessageFormat>[0]

type Wrap = (children: ReactNode) => ReactNode
type HasTag<V> = Tag extends V[keyof V] ? true : false
/** The texts that are plain strings: those without tags. */
export type PlainTextId = { [Id in TextId]: HasTag<TextValues[Id]> extends true ? never : Id }[TextId]
type Arguments<V> = keyof V extends never ? [values?: NoValues] : [values: V]
type RichValues<V> = { [K in keyof V]: V[K] extends Tag ? Wrap : V[K] extends number ? V[K] : V[K] | ReactNode }

const texts = new Map<string, CompiledText>()
const formats = new Map<string, { format: IntlMessageFormat['format']; keywords: Set<string> }>()
let locale = 'en'
let direction: 'ltr' | 'rtl' = 'ltr'

/** Forgets the texts of another language. */
export function startTexts(newLocale: string, newDirection: 'ltr' | 'rtl') {
  locale = newLocale
  direction = newDirection
  texts.clear()
  formats.clear()
}

export function addTexts(added: Record<string, CompiledText>) {
  for (const id of Object.keys(added)) texts.set(id, added[id] as CompiledText)
}

/** The text of an id in the language that is shown. */
export function t<Id extends PlainTextId>(id: Id, ...[values]: Arguments<TextValues[Id]>): string {
  const text = read(id)
  return typeof text === 'string' ? text : (format(id, text, values ?? {}) as string)
}

/**
 * A text with parts of React: values may be elements, and each tag wraps its part, as in
 * `{ b: (part) => <b>{part}</b> }`.
 */
export function rich<Id extends TextId>(id: Id, values: RichValues<TextValues[Id]>): ReactNode {
  const text = read(id)
  if (typeof text === 'string') return text
  const wrapped = Object.entries(values).map(([name, value]) => [name, isWrap(value) ? wrapAll(value) : value])
  const parts = format(id, text, Object.fromEntries(wrapped))
  return Array.isArray(parts) ? createElement(Fragment, null, ...parts) : parts
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

function format(id: string, text: Exclude<CompiledText, string>, values: object) {
  let parsed = formats.get(id)
  if (!parsed) {
    const message = new IntlMessageFormat(text, locale)
    parsed = { format: message.format, keywords: new Set(keywordsIn(message.getAst())) }
    formats.set(id, parsed)
  }
  return parsed.format<ReactNode>(isolated(values, parsed.keywords))
}

/** The names of the values that choose one of several forms. */
const keywordsIn = (parts: MessageFormatElement[]): string[] =>
  parts.flatMap((part) => {
    if ('children' in part) return keywordsIn(part.children)
    if (!('options' in part)) return []
    return [part.value, ...Object.values(part.options).flatMap(({ value }) => keywordsIn(value))]
  })

/** Letters that run against each direction. */
const OTHER = { ltr: /[\p{Script=Arabic}\p{Script=Hebrew}]/u, rtl: /(?![\p{Script=Arabic}\p{Script=Hebrew}])\p{L}/u }

/** Isolates values in the other direction, so that they do not move what stands around them. */
function isolated(values: object, keywords: Set<string>) {
  const entries = Object.entries(values).map(([name, value]) => {
    const isOther = typeof value === 'string' && !keywords.has(name) && OTHER[direction].test(value)
    return [name, isOther ? `\u2068${value}\u2069` : value]
  })
  return Object.fromEntries(entries)
}
