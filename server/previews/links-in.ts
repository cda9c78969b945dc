import { limits } from '#contract/limits'

const LINK = /(?<![\p{L}\p{N}])https?:\/\/(?:\[[\da-f:.]+\])?[^\s<>[\]|"`]*/giu
/** Belongs to the sentence rather than to a link that ends with it. */
const SENTENCE_END = /(?:[?!.,:;*_~'’”»）。、，！？]|&\w{1,20};)$/

/** The first links in a message that may get a preview, as they are written. Links in code get none. */
export function linksIn(content: string): string[] {
  const links = new Set<string>()
  if (!content.includes('://')) return []
  for (const [found] of withoutCode(content).matchAll(LINK)) {
    if (found.length > limits.linkLength) continue
    const link = withoutEnd(found)
    if (URL.canParse(link)) links.add(link)
    if (links.size === limits.previews) break
  }
  return [...links]
}

/** Without the punctuation after it, and without brackets that were opened before it. */
function withoutEnd(link: string): string {
  let excess = link.split(')').length - link.split('(').length
  let rest = link
  while (true) {
    const end = rest.endsWith(')') && excess-- > 0 ? ')' : SENTENCE_END.exec(rest)?.[0]
    if (end === undefined) return rest
    rest = rest.slice(0, -end.length)
  }
}

/** Blocks end with the text if they are not closed. */
function withoutCode(content: string): string {
  let fence: string | undefined
  const lines = content.split('\n').filter((line) => {
    // Also in lists and quotes.
    const mark = /^[\s>*+.)\d-]*(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1]
    const isOutside = fence === undefined && mark === undefined
    if (fence === undefined) fence = mark
    else if (mark?.startsWith(fence)) fence = undefined
    return isOutside
  })
  return withoutInlineCode(lines.join('\n').replaceAll('\\`', ' '))
}

/** Code in a line is closed by as many backticks as opened it. */
function withoutInlineCode(text: string): string {
  const parts = text.split(/(`+)/)
  const isTicks = (index: number) => index % 2 === 1
  const ends = new Map<number, number>()
  /** The next run of equally many backticks, by length. */
  const next = new Map<number, number>()
  for (let i = parts.length - 1; i > 0; i--) {
    if (!isTicks(i)) continue
    const { length } = parts[i] as string
    const end = next.get(length)
    if (end !== undefined) ends.set(i, end)
    next.set(length, i)
  }
  let kept = ''
  for (let i = 0; i < parts.length; i++) {
    const end = ends.get(i)
    kept += end === undefined ? parts[i] : ' '
    i = end ?? i
  }
  return kept
}
