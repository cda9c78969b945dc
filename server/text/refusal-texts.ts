import { readFileSync } from 'node:fs'
import { IntlMessageFormat } from 'intl-messageformat'
import type { Problem } from '#contract/errors'

const english: Record<string, string> = JSON.parse(
  readFileSync(new URL('../../languages/en.json', import.meta.url), 'utf8'),
)
const formats = new Map<string, IntlMessageFormat>()

/** A refusal in English, as programs and logs receive it. People read it in their language (`web/api-client/`). */
export function sentenceOf({ reason, values }: Problem): string {
  const text = english[`errors.${reason}`]
  if (text === undefined) throw new Error(`languages/en.json lacks errors.${reason}`)
  let format = formats.get(reason)
  if (!format) {
    format = new IntlMessageFormat(text, 'en')
    formats.set(reason, format)
  }
  return String(format.format(values))
}

/** The same refusal, naming the field of the input that it is about. */
export const withField = ({ reason, values }: Problem, field: string): Problem => ({
  reason,
  values: { ...values, field },
})

/** A refusal of a field, without its name: 'must not be empty'. */
export const withoutField = (problem: Problem) => sentenceOf(withField(problem, '')).trimStart()
