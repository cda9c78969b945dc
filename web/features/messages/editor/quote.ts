/** Quotes a text at a caret: the quote begins a line, and an empty line follows it. */
export function quoteAt(text: string, caret: number, quoted: string) {
  const before = text.slice(0, caret)
  const [lineBreaks = ''] = /\n{0,2}$/.exec(before) ?? []
  const start = before === '' ? '' : '\n'.repeat(2 - lineBreaks.length)
  const lines = quoted
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
  return { from: caret, to: caret, text: `${start}${lines.join('\n')}\n\n` }
}
