/**
 * A message as spoken text: without markup, with links replaced by their text, URLs by 'link', and code blocks by 'code'. Empty
 * if nothing remains. Every pattern is bounded, so no text takes long.
 */
export function spokenText(markdown: string): string {
  const spoken: string[] = []
  let fence: string | undefined
  for (const line of markdown.split(/\r?\n/)) {
    const mark = /^[ >]{0,20}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined
    } else if (mark) {
      fence = mark
      spoken.push('code')
    } else spoken.push(sentence(unmarked(line)))
  }
  const said = spoken.filter((line) => line !== '').join('\n')
  // Code or punctuation alone is not worth reading aloud.
  return /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(said.replace(/^code$/gm, '')) ? said : ''
}

/** A line without the markup of a quote, list item, heading, rule or table row. */
function unmarked(line: string): string {
  const text = line.replace(/^(?:[ \t]{0,20}>){1,20}/, '').trim()
  if (/^(?:[-*_=][ \t]{0,5}){3,}$/.test(text) || /^[|:\- \t]{3,}$/.test(text)) return ''
  const item = text.replace(/^(?:[-*+]|#{1,6})[ \t]+/, '').replace(/^\[[ xX]\][ \t]+/, '')
  return item.startsWith('|') ? item.replace(/^\||\|$/g, '').replace(/[ \t]*\|[ \t]*/g, ', ') : item
}

/** A line's text without inline markup. */
const sentence = (line: string) =>
  line
    .replace(/!?\[([^[\]]{0,1000})\]\([^()\s]{0,2000}(?:[ \t]{1,9}"[^"]{0,300}")?\)/g, '$1')
    .replace(/<?\b(?:https?:\/\/|www\.)[^\s<>]{1,2000}>?/gi, 'link')
    .replace(/`{1,2}([^`]{1,2000})`{1,2}/g, '$1')
    .replace(/\*{1,3}|~~|(?<![\p{L}\p{N}])_{1,3}(?=\S)|(?<=\S)_{1,3}(?![\p{L}\p{N}])/gu, '')
    .replace(/(?<![\p{L}\p{N}])@(?=[a-z0-9])/giu, '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/[ \t]{2,}/g, ' ')
    .trim()
