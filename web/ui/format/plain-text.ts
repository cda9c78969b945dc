import { cutText } from './graphemes.ts'

/** Notifications show no more than this. Only the start of a long message is parsed. */
const MAX_CHARACTERS = 160
const MAX_PARSED_CHARACTERS = 2000

/** A message as one line of plain text, without its Markdown. */
export function plainText(content: string, maxCharacters = MAX_CHARACTERS): string {
  const text = content
    .slice(0, MAX_PARSED_CHARACTERS)
    .replace(/^[ \t]*(```|~~~).*$/gm, ' ')
    .replace(/!?\[([^\]]*)\]\([^)\s]*(?:\s+"[^"]*")?\)/g, '$1')
    .replace(/^[ \t]*(?:#{1,6}[ \t]+|(?:>[ \t]?)+|[-+*][ \t]+(?:\[[ xX]\][ \t]+)?)/gm, '')
    .replace(/(\*\*|__|~~)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}])([*_])(?=\S)(.+?)(?<=\S)\1(?![\p{L}\p{N}])/gu, '$2')
    .replace(/`+([^`]+)`+/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
  return cutText(text, maxCharacters)
}
