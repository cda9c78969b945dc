// A copy of contract/fold.ts at the time of this migration: a migration must not change with current code.

/** The units of folding: white space, the parts of a Korean syllable, a character with its marks. */
const CLUSTER = /\s+|[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]+|[^\s][\p{M}\uff9e\uff9f]*/gu
const ASCII = /^[\0-\x7f]*$/
/** Marks on letters of these scripts are accents; elsewhere (が, й) they form another letter. */
const ACCENTED = /^[\p{sc=Latin}\p{sc=Greek}]/u
const ACCENTS = /[\u0300-\u036f]/g
/** Regional flags are spelled with tags, which are visible. */
const UNSEEN = /(?![\u{e0020}-\u{e007f}])\p{Default_Ignorable_Code_Point}/gu

/** Letters with a stroke, which Unicode doesn't decompose, and typographic quotes and dashes. */
const SPECIAL: Record<string, string> = {
  ...{ ø: 'o', ł: 'l', đ: 'd', ħ: 'h', æ: 'ae', œ: 'oe', ё: 'е' },
  ...{ '‘': "'", '’': "'", '‚': "'", '‛': "'", '“': '"', '”': '"', '„': '"', '‟': '"' },
  ...{ '‐': '-', '‒': '-', '–': '-', '—': '-', '―': '-', '−': '-' },
}

const folded = new Map<string, string>()
const REMEMBERED = 20_000

/**
 * Text in the form used for searching: without case, accents, width variants and invisible characters; white space becomes one
 * space. Matching stays literal: each cluster is folded on its own, so a substring of a text is a substring of the folded text.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase().replace(/\s+/g, ' ')
  return text.replace(CLUSTER, foldCluster)
}

function foldCluster(cluster: string): string {
  const known = folded.get(cluster)
  if (known !== undefined) return known
  if (folded.size >= REMEMBERED) folded.clear()
  const piece = /^\s/.test(cluster) ? ' ' : foldCharacters(cluster)
  // Long runs of marks or spaces hardly recur.
  if (cluster.length <= 8) folded.set(cluster, piece)
  return piece
}

function foldCharacters(cluster: string): string {
  const compatible = cluster.normalize('NFKC')
  // A standalone accent (´) would become a space.
  const composed = compatible.startsWith(' ') ? cluster : compatible
  let piece = ''
  for (const character of composed.replace(UNSEEN, '')) {
    const bare = ACCENTED.test(character.normalize('NFD')) ? character.normalize('NFD') : character
    // Via upper case, ß becomes ss and ς becomes σ.
    const lower = bare.replace(ACCENTS, '').toUpperCase().toLowerCase().replace(ACCENTS, '')
    piece += SPECIAL[lower] ?? lower
  }
  return piece
}
