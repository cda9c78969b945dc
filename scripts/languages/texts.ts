import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { root } from '../run-node.mjs'

const FOLDER = join(root, 'languages')

/** The code of the pseudo-locale, which is made from English. */
export const PSEUDO = 'en-XA'

export interface LanguageProblem {
  code: string
  id: string
  what: string
}

/** The languages' codes: 'ar', 'de', …; each has a file. */
export const languageCodes = () =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))

export const languageFile = (code: string) => join(FOLDER, `${code}.json`)

/** The texts of a language by id, in ICU MessageFormat. */
export const readTexts = (code: string): Record<string, string> => JSON.parse(readFileSync(languageFile(code), 'utf8'))

export const parseText = (text: string) => parse(text, { captureLocation: false, requiresOtherClause: true })

/** A text without values as a string, any other as its parsed parts. */
export function compileText(text: string): string | MessageFormatElement[] {
  const parts = parseText(text)
  if (parts.length === 0) return ''
  const [only] = parts
  return parts.length === 1 && only?.type === TYPE.literal ? only.value : parts
}

/** In right-to-left text, the # before a channel's Latin name would appear after it, so isolate both together. */
export const isolateChannels = (text: string) => text.replace(/#\{\w+\}/g, '\u2068$&\u2069')

/** The values that a text takes, by name: 'text', 'number', 'date', 'tag', or the options of a select. */
export function argumentsOf(text: string): Map<string, string> {
  const found = new Map<string, string>()
  const visit = (parts: MessageFormatElement[]) => {
    for (const part of parts) {
      if (part.type === TYPE.literal || part.type === TYPE.pound) continue
      const type = typeOf(part)
      if (found.get(part.value) === undefined || type !== 'text') found.set(part.value, type)
      if (part.type === TYPE.tag) visit(part.children)
      if (part.type === TYPE.select || part.type === TYPE.plural)
        for (const option of Object.values(part.options)) visit(option.value)
    }
  }
  visit(parseText(text))
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function typeOf(part: MessageFormatElement): string {
  if (part.type === TYPE.tag) return 'tag'
  if (part.type === TYPE.number || part.type === TYPE.plural) return 'number'
  if (part.type === TYPE.date || part.type === TYPE.time) return 'date'
  if (part.type === TYPE.select) return Object.keys(part.options).sort().join('|')
  return 'text'
}

/** The TypeScript type of a value. */
export function valueType(type: string): string {
  if (type === 'text') return 'string | number'
  if (type === 'number') return 'number'
  if (type === 'date') return 'Date | number'
  if (type === 'tag') return 'Tag'
  return type
    .split('|')
    .map((option) => (option === 'other' ? '(string & {})' : `'${option}'`))
    .join(' | ')
}

/** Problems of a language's texts: unknown ids, other values than in English, missing plural forms. */
export function problemsOf(
  code: string,
  texts: Record<string, string>,
  english: Record<string, string>,
): LanguageProblem[] {
  const problems: LanguageProblem[] = []
  const forms = new Intl.PluralRules(code).resolvedOptions().pluralCategories
  for (const [id, text] of Object.entries(texts)) {
    const add = (what: string) => problems.push({ code, id, what })
    const source = english[id]
    if (source === undefined) {
      add('is not a text of languages/en.json')
      continue
    }
    try {
      const [own, expected] = [describe(text), describe(source)]
      if (own !== expected) add(`takes ${own || 'no values'}, but in English ${expected || 'none'}`)
      for (const missing of missingForms(parseText(text), forms)) add(`lacks the plural form '${missing}'`)
    } catch (error) {
      add(`cannot be read: ${(error as Error).message}`)
    }
  }
  return problems
}

const describe = (text: string) =>
  [...argumentsOf(text)].map(([name, type]) => (type === 'text' ? name : `${name} (${type})`)).join(', ')

function missingForms(parts: MessageFormatElement[], forms: Intl.LDMLPluralRule[]): string[] {
  return parts.flatMap((part) => {
    if (part.type === TYPE.tag) return missingForms(part.children, forms)
    if (part.type !== TYPE.plural && part.type !== TYPE.select) return []
    const inside = Object.values(part.options).flatMap(({ value }) => missingForms(value, forms))
    // Ordinals have other forms.
    if (part.type !== TYPE.plural || part.pluralType === 'ordinal') return inside
    // 'many' in Romance languages is for millions, and falls back to 'other'.
    const needed = forms.filter((form) => form !== 'many' || forms.length > 3)
    return [...inside, ...needed.filter((form) => !(form in part.options))]
  })
}
