/**
 * Hue and lightness by the number of a colour. Numbers are assigned in this order, so each differs as much as possible from those
 * before it: first every hue once, then every hue again, darker or lighter. The hues are 18° apart, without the product's own
 * ember (36) and pine (162), and without yellow, which looks muddy when it is dark enough for white text.
 */
const COLORS: readonly (readonly [hue: number, lightness: number])[] = [
  ...([
    [234, 0.46],
    [54, 0.54],
    [144, 0.54],
    [324, 0.54],
    [18, 0.46],
  ] as const),
  ...([
    [198, 0.54],
    [288, 0.46],
    [252, 0.54],
    [0, 0.54],
    [180, 0.46],
  ] as const),
  ...([
    [126, 0.5],
    [342, 0.46],
    [270, 0.54],
    [216, 0.46],
    [306, 0.46],
  ] as const),
  ...([
    [54, 0.5],
    [234, 0.54],
    [144, 0.5],
    [324, 0.46],
    [198, 0.46],
  ] as const),
  ...([
    [288, 0.54],
    [18, 0.54],
    [252, 0.46],
    [180, 0.54],
    [0, 0.46],
  ] as const),
  ...([
    [342, 0.54],
    [126, 0.54],
    [216, 0.54],
    [270, 0.46],
    [306, 0.54],
  ] as const),
]
/** White text has a contrast of 4.5:1 or more on all. Paler, orange and green would turn brown and olive. */
const chromaOf = (hue: number) => (hue > 45 && hue < 150 ? 0.14 : 0.115)

/**
 * A person's own colour, for white text.
 * @param assigned its number; if unknown, such as for someone who was cached by an earlier version, the id decides
 */
export function personColor(id: string, assigned?: number | null) {
  const [hue, lightness] = COLORS[(assigned ?? hashOf(id)) % COLORS.length] as (typeof COLORS)[number]
  return `oklch(${lightness} ${chromaOf(hue)} ${hue})`
}

/** FNV-1a, with the final mixing of MurmurHash3: ids that differ in one letter get unrelated colours. */
function hashOf(id: string) {
  let hash = 0x811c9dc5
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
