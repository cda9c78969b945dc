/** Shortens a text to some UTF-16 units and an ellipsis, without splitting characters. */
export function cut(text: string, max: number) {
  if (text.length <= max) return text
  return `${text
    .slice(0, max)
    .toWellFormed()
    .replace(/\ufffd$/, '')}…`
}
