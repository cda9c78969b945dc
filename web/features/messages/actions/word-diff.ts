import { diffArrays } from 'diff'

export interface DiffPart {
  kind: 'same' | 'added' | 'removed'
  text: string
}

/** Texts that differ too much are not worth a stalled page. */
const LIMITS = { timeout: 50, maxEditLength: 2000 }

const spaceAtEnd = (text: string) => /\S([^\S\n]*)$/.exec(text)?.[1] ?? ''

let segmenter: Intl.Segmenter | undefined

/** Words, spaces and marks, also of languages without spaces between words. */
function wordsOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' })
  return [...segmenter.segment(text)].map(({ segment }) => segment)
}

/** What changed between two texts, by words; undefined if that would take too long. */
export function wordDiff(before: string, after: string): DiffPart[] | undefined {
  const changes = diffArrays(wordsOf(before), wordsOf(after), LIMITS)
  if (!changes) return undefined
  const parts: DiffPart[] = []
  let [removed, added, gap] = ['', '', '']
  const push = (kind: DiffPart['kind'], text: string) => text && parts.push({ kind, text })
  /** Ends a change. A space that ends both texts is not part of it. */
  const flush = (same: string) => {
    const end = spaceAtEnd(removed) === spaceAtEnd(added) ? spaceAtEnd(added) : ''
    push('removed', removed.slice(0, removed.length - end.length))
    push('added', added.slice(0, added.length - end.length))
    push('same', end + gap + same)
    removed = added = gap = ''
  }
  for (const change of changes) {
    const text = change.value.join('')
    if (change.added || change.removed) {
      // Words replaced one after the other are one change.
      removed += gap
      added += gap
      gap = ''
      if (change.added) added += text
      else removed += text
    } else if (removed && added && /^[^\S\n]+$/.test(text)) gap = text
    else flush(text)
  }
  flush('')
  return parts
}
