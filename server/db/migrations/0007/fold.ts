// A copy of server/text/fold.ts as it was when this migration was written: a migration must not change with living code.

/** What stands together when text is folded: white space, the parts of a Korean syllable, a character with its marks. */
const CLUSTER = /\s+|[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]+|[^\s][\p{M}\uff9e\uff9f]*/gu
const ASCII = /^[\0-\x7f]*$/
/** Marks on letters of these scripts are accents; elsewhere (が, й) they make another letter. */
const ACCENTED = /^[\p{sc=Latin}\p{sc=Greek}]/u
const ACCENTS = /[\u0300-\u036f]/g
/** Flags of regions are spelled with tags, which show. */
const UNSEEN = /(?![\u{e0020}-\u{e007f}])\p{Default_Ignorable_Code_Point}/gu

/** Letters with a stroke, which Unicode does not take apart, and the typographer's quotes and dashes. */
const SPECIAL: Record<string, string> = {
  ...{ ø: 'o', ł: 'l', đ: 'd', ħ: 'h', æ: 'ae', œ: 'oe', ё: 'е' },
  ...{ '‘': "'", '’': "'", '‚': "'", '‛': "'", '“': '"', '”': '"', '„': '"', '‟': '"' },
  ...{ '‐': '-', '‒': '-', '–': '-', '—': '-', '―': '-', '−': '-' },
}

const folded = new Map<string, string>()
const REMEMBERED = 20_000

/**
 * Text as it is looked for: without case, accents, forms of width, invisible characters; white space is one space. It
 * stays literal: each cluster is folded by itself, so what stands in a text stands folded in the folded text.
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
  // A long run of marks or spaces is hardly met twice.
  if (cluster.length <= 8) folded.set(cluster, piece)
  return piece
}

function foldCharacters(cluster: string): string {
  const compatible = cluster.normalize('NFKC')
  // An accent that stands alone (´) would become a space.
  const composed = compatible.startsWith(' ') ? cluster : compatible
  let piece = ''
  for (const character of composed.replace(UNSEEN, '')) {
    const bare = ACCENTED.test(character.normalize('NFD')) ? character.normalize('NFD') : character
    // By way of upper case ß is ss and ς is σ.
    const lower = bare.replace(ACCENTS, '').toUpperCase().toLowerCase().replace(ACCENTS, '')
    piece += SPECIAL[lower] ?? lower
  }
  return piece
}
