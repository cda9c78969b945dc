/** Signs that a notification shows; of a text no more is read than what can hold them. */
const MAX_CHARACTERS = 160
const MAX_READ = 2000

/** A message as one line of plain text: what its marks say is left out, its words stay. */
export function plainText(content: string): string {
  const words = content
    .slice(0, MAX_READ)
    .replace(/^[ \t]*(```|~~~).*$/gm, ' ')
    .replace(/!?\[([^\]]*)\]\([^)\s]*(?:\s+"[^"]*")?\)/g, '$1')
    .replace(/^[ \t]*(?:#{1,6}[ \t]+|(?:>[ \t]?)+|[-+*][ \t]+(?:\[[ xX]\][ \t]+)?)/gm, '')
    .replace(/(\*\*|__|~~)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}])([*_])(?=\S)(.+?)(?<=\S)\1(?![\p{L}\p{N}])/gu, '$2')
    .replace(/`+([^`]+)`+/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
  // As they are seen: a family is one.
  const signs = [...new Intl.Segmenter().segment(words)].map(({ segment }) => segment)
  return signs.length <= MAX_CHARACTERS
    ? words
    : `${signs
        .slice(0, MAX_CHARACTERS - 1)
        .join('')
        .trimEnd()}…`
}
