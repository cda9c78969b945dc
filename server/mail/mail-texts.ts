import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { IntlMessageFormat } from 'intl-messageformat'
import type { TextValues } from '#contract/text-values'
import { ROOT } from '../installation.ts'

/** Texts that the server writes: mails, notifications, answers of the assistant, what it adds to messages, and the app's shortcuts. */
type MailTextId = Extract<
  keyof TextValues,
  | `mail.${string}`
  | `push.${string}`
  | `notifications.${'title' | 'reason.'}${string}`
  | `later.${'notice' | 'noticeOf'}`
  | `assistant.${string}`
  | `${'threads' | 'later' | 'drafts'}.title`
  | 'messages.quote.replyLabel'
>
type Values<Id extends MailTextId> = keyof TextValues[Id] extends never ? [] : [values: TextValues[Id]]

export interface MailTexts {
  /** A code such as `de`. */
  language: string
  direction: 'ltr' | 'rtl'
  t<Id extends MailTextId>(id: Id, ...values: Values<Id>): string
}

const FOLDER = join(ROOT, 'languages')
const ENGLISH = 'en'
/** Letters of the opposite direction. */
const OTHER = { ltr: /[\p{Script=Arabic}\p{Script=Hebrew}]/u, rtl: /(?![\p{Script=Arabic}\p{Script=Hebrew}])\p{L}/u }

const codes = new Set(
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length)),
)
export const mailLanguages: readonly string[] = [...codes]
const loaded = new Map<string, MailTexts>()

/** The texts of mails in the first supported language, or in English. 'de-AT' falls back to 'de'. */
export function mailTexts(...wanted: (string | null | undefined)[]): MailTexts {
  const language =
    wanted.flatMap((it) => (it ? [it, it.split('-')[0] ?? it] : [])).find((it) => codes.has(it)) ?? ENGLISH
  const known = loaded.get(language)
  if (known) return known
  const texts = readTexts(language)
  loaded.set(language, texts)
  return texts
}

/** The languages in the order of the header, ignoring weights. */
export const languagesIn = (acceptLanguage = '') =>
  acceptLanguage
    .slice(0, 200)
    .split(',')
    .map((it) => it.split(';')[0]?.trim() ?? '')

function readTexts(language: string): MailTexts {
  const read = (code: string): Record<string, string> => JSON.parse(readFileSync(join(FOLDER, `${code}.json`), 'utf8'))
  const texts = { ...(language !== ENGLISH && read(ENGLISH)), ...read(language) }
  const direction = texts['language.direction'] === 'rtl' ? 'rtl' : 'ltr'
  const formats = new Map<string, IntlMessageFormat>()
  return {
    language,
    direction,
    t: (id, ...[values]) => {
      const format = formats.get(id) ?? new IntlMessageFormat(texts[id] ?? '', language)
      formats.set(id, format)
      return String(format.format(isolated(values ?? {}, direction)))
    },
  }
}

/** Isolates values of the opposite direction, so that they don't reorder the text around them. */
function isolated(values: object, direction: 'ltr' | 'rtl') {
  const isOther = (value: unknown) => typeof value === 'string' && OTHER[direction].test(value)
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isOther(value) ? `\u2068${value}\u2069` : value]),
  )
}
