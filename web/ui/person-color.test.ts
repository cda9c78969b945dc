import { expect, test } from 'vitest'
import { personColor } from './person-color.ts'

const ids = Array.from({ length: 4000 }, (_, index) => `person-${index}`)
const colors = new Set(ids.map((id) => personColor(id)))

test('white text has a contrast of at least 4.5:1 on every color', () => {
  for (const color of colors) expect(contrastWithWhite(color), color).toBeGreaterThanOrEqual(4.5)
})

test('colors are spread evenly, and none is muddy or close to the pine and ember of the product', () => {
  const counts = new Map<string, number>()
  for (const id of ids) counts.set(personColor(id), (counts.get(personColor(id)) ?? 0) + 1)
  expect(colors.size).toBe(30)
  for (const count of counts.values()) {
    expect(count).toBeGreaterThan(60)
    expect(count).toBeLessThan(190)
  }
  const hues = [...colors].map((color) => partsOf(color).hue)
  expect(
    hues.filter((hue) => (hue >= 30 && hue <= 45) || (hue >= 60 && hue <= 115) || (hue >= 155 && hue <= 175)),
  ).toEqual([])
})

test('the number that was assigned decides, and the first fifteen have fifteen hues', () => {
  const assigned = Array.from({ length: 30 }, (_, number) => personColor('ada', number))
  expect(new Set(assigned)).toEqual(colors)
  expect(personColor('bob', 7)).toBe(assigned[7])
  expect(new Set(assigned.slice(0, 15).map((color) => partsOf(color).hue)).size).toBe(15)
  // Those who joined one after the other.
  const distances = assigned.slice(1).map((color, index) => distance(color, assigned[index] as string))
  expect(Math.min(...distances)).toBeGreaterThan(0.08)
})

test('similar ids get different colors', () => {
  const similar = ['1', '2', '3', '4', '5', '6'].map((digit) =>
    personColor(`00000000-0000-4000-8000-00000000000${digit}`),
  )
  expect(new Set(similar).size).toBeGreaterThanOrEqual(5)
})

function partsOf(color: string) {
  const [lightness = 0, chroma = 0, hue = 0] = (color.match(/[\d.]+/g) ?? []).map(Number)
  return { lightness, chroma, hue }
}

/** In the Oklab color space, where 0.02 is just noticeable. */
function distance(one: string, other: string) {
  const [a, b] = [partsOf(one), partsOf(other)]
  const angle = ((a.hue - b.hue) * Math.PI) / 180
  const chroma = a.chroma ** 2 + b.chroma ** 2 - 2 * a.chroma * b.chroma * Math.cos(angle)
  return Math.hypot(a.lightness - b.lightness, Math.sqrt(chroma))
}

/** The contrast as in WCAG 2, of the color clipped to sRGB. */
function contrastWithWhite(color: string) {
  const { lightness, chroma, hue } = partsOf(color)
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const inGamut = (channel: number) => Math.min(Math.max(channel, 0), 1)
  const red = inGamut(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s)
  const green = inGamut(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s)
  const blue = inGamut(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
}
