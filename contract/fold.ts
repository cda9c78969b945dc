/** Units that are folded together: white space, the parts of a Korean syllable, a character with its marks. */
const CLUSTER = /\s+|[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]+|[^\s][\p{M}\uff9e\uff9f]*/gu
const ASCII = /^[\0-\x7f]*$/
/** Marks on letters of these scripts are accents; elsewhere (が, й) they form another letter. */
const ACCENTED = /^[\p{sc=Latin}\p{sc=Greek}]/u
const ACCENTS = /[\u0300-\u036f]/g
/** Except tags, which spell the flags of regions. */
const INVISIBLE = /(?![\u{e0020}-\u{e007f}])\p{Default_Ignorable_Code_Point}/gu

/** Letters with a stroke, which Unicode does not decompose, and typographic quotes and dashes. */
const SPECIAL: Record<string, string> = {
  ...{ ø: 'o', ł: 'l', đ: 'd', ħ: 'h', æ: 'ae', œ: 'oe', ё: 'е' },
  ...{ '‘': "'", '’': "'", '‚': "'", '‛': "'", '“': '"', '”': '"', '„': '"', '‟': '"' },
  ...{ '‐': '-', '‒': '-', '–': '-', '—': '-', '―': '-', '−': '-' },
}

/** More on one character than any language needs: normalization takes quadratic time for them. */
const MANY_MARKS = /(\p{M}{16})\p{M}+/gu

const cache = new Map<string, string>()
const MAX_CACHED_CLUSTERS = 20_000

/**
 * Normalizes text for search: no case, accents, width forms or invisible characters; white space becomes one space. Each
 * cluster is folded by itself, so a substring of a text, folded, is a substring of the folded text.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase().replace(/\s+/g, ' ')
  return text.replace(CLUSTER, foldCluster)
}

/** A folded text, with the position in the original of each position's cluster, and of the end. */
export function foldWithPlaces(text: string): { folded: string; places: number[] } {
  let folded = ''
  const places: number[] = []
  for (const { 0: cluster, index } of text.matchAll(CLUSTER)) {
    const piece = foldCluster(cluster)
    for (let i = 0; i < piece.length; i++) places.push(index)
    folded += piece
  }
  places.push(text.length)
  return { folded, places }
}

function foldCluster(cluster: string): string {
  const known = cache.get(cluster)
  if (known !== undefined) return known
  if (cache.size >= MAX_CACHED_CLUSTERS) cache.clear()
  const piece = /^\s/.test(cluster) ? ' ' : foldCharacters(cluster)
  // Long runs of marks or spaces rarely repeat.
  if (cluster.length <= 8) cache.set(cluster, piece)
  return piece
}

function foldCharacters(given: string): string {
  const cluster = given.replace(MANY_MARKS, '$1')
  const compatible = cluster.normalize('NFKC')
  // A standalone accent (´) would become a space.
  const composed = compatible.startsWith(' ') ? cluster : compatible
  let piece = ''
  for (const character of composed.replace(INVISIBLE, '')) {
    const bare = ACCENTED.test(character.normalize('NFD')) ? character.normalize('NFD') : character
    // Via upper case, ß becomes ss and ς becomes σ.
    const lower = bare.replace(ACCENTS, '').toUpperCase().toLowerCase().replace(ACCENTS, '')
    piece += SPECIAL[lower] ?? lower
  }
  return piece
}
