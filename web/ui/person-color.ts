/**
 * 18° apart, without the product's own ember (36) and pine (162), and without yellow, which looks muddy when it is dark enough
 * for white text.
 */
const HUES = [0, 18, 54, 126, 144, 180, 198, 216, 234, 252, 270, 288, 306, 324, 342]
/** White text has a contrast of 4.5:1 or more on all. Darker or paler, orange and green would turn brown and olive. */
const cold = { lightnesses: [0.46, 0.54], chroma: 0.115 }
const warm = { lightnesses: [0.5, 0.54], chroma: 0.14 }
const isWarm = (hue: number) => hue > 45 && hue < 150

/** A person's own colour, for white text. It depends only on their id, so it never changes. */
export function personColor(id: string) {
  const hash = hashOf(id)
  const hue = HUES[(hash >>> 1) % HUES.length] as number
  const { lightnesses, chroma } = isWarm(hue) ? warm : cold
  return `oklch(${lightnesses[hash % 2]} ${chroma} ${hue})`
}

/** FNV-1a, with the final mixing of MurmurHash3: ids that differ in one letter get unrelated colours. */
function hashOf(id: string) {
  let hash = 0x811c9dc5
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
