import { type MessageFormatElement, TYPE } from '@formatjs/icu-messageformat-parser'
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js'
import { parseText } from './texts.ts'

const ACCENTED = new Map(
  Array.from('aäbƀcçdđeëfƒgğhĥiïjĵkķlľmɱnñoöpþqɋrŕsštŧuüvṽwŵxẋyÿzž'.matchAll(/(.)(.)/gu), ([, letter, accented]) => [
    letter,
    accented,
  ]),
)

/** An English text with accents, a third longer and in brackets, to make untranslated and cut-off texts obvious. */
export function pseudoText(text: string): string {
  const parts = accent(parseText(text))
  const padding = '~'.repeat(Math.ceil(text.replace(/\{[^}]*\}|<[^>]*>/g, '').length / 3))
  return printAST([literal('['), ...parts, literal(`${padding}]`)])
}

function accent(parts: MessageFormatElement[]): MessageFormatElement[] {
  return parts.map((part): MessageFormatElement => {
    if (part.type === TYPE.literal)
      return { ...part, value: part.value.replace(/[a-z]/g, (it) => ACCENTED.get(it) ?? it) }
    if (part.type === TYPE.tag) return { ...part, children: accent(part.children) }
    if (part.type !== TYPE.select && part.type !== TYPE.plural) return part
    const options = Object.entries(part.options).map(([key, { value }]) => [key, { value: accent(value) }] as const)
    return { ...part, options: Object.fromEntries(options) } as MessageFormatElement
  })
}

const literal = (value: string): MessageFormatElement => ({ type: TYPE.literal, value })
