import sharp from 'sharp'
import { createDice } from './random.ts'

// Drawn without letters, so that they look the same on a machine without fonts.

/** Pictures by name. */
export const pictures: Record<string, () => Promise<Buffer>> = {
  'boarding-pass-a.png': () => png(pass('#1d4ed8', '#eff6ff', false)),
  'boarding-pass-b.png': () => png(pass('#0f766e', '#f0fdfa', true)),
  'routes.png': () => png(map()),
  'ticket-latency.png': () => png(chart()),
  'harbour-this-morning.jpg': () => jpeg(harbour()),
  'cake.jpg': () => jpeg(cake()),
}

const svg = (width: number, height: number, content: string) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${content}</svg>`,
  )
const png = (drawing: Buffer) => sharp(drawing).png({ compressionLevel: 9, palette: true }).toBuffer()
const jpeg = (drawing: Buffer) => sharp(drawing).flatten({ background: 'white' }).jpeg({ quality: 82 }).toBuffer()

const box = (x: number, y: number, width: number, height: number, fill: string, more = '') =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" ${more}/>`
const disc = (x: number, y: number, r: number, fill: string, more = '') =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}" ${more}/>`
const line = (points: number[][], colour: string, width: number, more = '') =>
  `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" ${more}/>`
const range = (count: number) => Array.from({ length: count }, (_, i) => i)

/** A ticket on a phone, with bars for words. */
function pass(strong: string, pale: string, isCodeFirst: boolean): Buffer {
  const dice = createDice(7)
  const code = range(21 * 21)
    .map((i) => ({ x: i % 21, y: Math.floor(i / 21) }))
    .filter(({ x, y }) =>
      (x < 7 && y < 7) || (x > 13 && y < 7) || (x < 7 && y > 13) ? isFinder(x % 14, y % 14) : dice.roll() < 0.48,
    )
    .map(({ x, y }) => box(x * 8, y * 8, 8, 8, '#0f172a'))
    .join('')
  const words = `${box(0, 0, 120, 14, '#94a3b8', 'rx="7"')}${box(0, 30, 210, 30, '#0f172a', 'rx="8"')}
    ${box(0, 92, 70, 12, '#94a3b8', 'rx="6"')}${box(0, 114, 96, 20, '#334155', 'rx="6"')}
    ${box(140, 92, 70, 12, '#94a3b8', 'rx="6"')}${box(140, 114, 70, 20, strong, 'rx="6"')}`
  const [codeAt, wordsAt] = isCodeFirst ? [150, 370] : [300, 130]
  const phone = `${box(0, 0, 340, 620, '#0f172a', 'rx="44"')}${box(10, 10, 320, 600, pale, 'rx="36"')}
    ${box(10, 10, 320, 96, strong, 'rx="36"')}${box(10, 70, 320, 36, strong)}
    ${line(
      [
        [120, 70],
        [150, 70],
        [160, 50],
        [200, 50],
        [210, 70],
        [232, 70],
        [214, 88],
        [136, 88],
        [120, 70],
      ],
      'white',
      6,
    )}
    <g transform="translate(86 ${codeAt})">${box(-14, -14, 196, 196, 'white', 'rx="14"')}${code}</g>
    <g transform="translate(66 ${wordsAt})">${words}</g>${box(66, 556, 208, 12, '#cbd5e1', 'rx="6"')}`
  return svg(
    1000,
    720,
    `${box(0, 0, 1000, 720, '#e2e8f0')}
    <g transform="translate(330 50)">${phone}</g>${box(60, 90, 180, 20, '#94a3b8', 'rx="10"')}
    ${box(60, 130, 140, 14, '#cbd5e1', 'rx="7"')}${box(60, 156, 160, 14, '#cbd5e1', 'rx="7"')}
    ${box(750, 300, 170, 14, '#cbd5e1', 'rx="7"')}${box(750, 326, 120, 14, '#cbd5e1', 'rx="7"')}
    ${line(
      [
        [740, 320],
        [690, 340],
      ],
      strong,
      4,
    )}${disc(684, 342, 8, strong)}`,
  )
}

const isFinder = (x: number, y: number) => x % 6 === 0 || y % 6 === 0 || (x > 1 && x < 5 && y > 1 && y < 5)

function map(): Buffer {
  const islands = [
    [220, 180, 90],
    [520, 120, 60],
    [700, 330, 110],
    [380, 430, 70],
    [900, 170, 50],
  ]
  const land = islands
    .map(
      ([x = 0, y = 0, r = 0]) =>
        `<ellipse cx="${x}" cy="${y}" rx="${r * 1.3}" ry="${r}" fill="#bbf7d0" stroke="#4ade80" stroke-width="4"/>`,
    )
    .join('')
  const routes = [
    [
      [220, 180],
      [370, 110],
      [520, 120],
    ],
    [
      [220, 180],
      [330, 320],
      [380, 430],
    ],
    [
      [520, 120],
      [640, 220],
      [700, 330],
    ],
    [
      [700, 330],
      [840, 270],
      [900, 170],
    ],
    [
      [380, 430],
      [540, 420],
      [700, 330],
    ],
  ]
    .map((points, i) =>
      line(points, ['#2563eb', '#db2777', '#ea580c', '#7c3aed', '#0d9488'][i] as string, 7, 'stroke-dasharray="2 16"'),
    )
    .join('')
  const ports = islands.map(([x = 0, y = 0]) => disc(x, y, 13, 'white', 'stroke="#0f172a" stroke-width="6"')).join('')
  return svg(1080, 560, `${box(0, 0, 1080, 560, '#dbeafe')}${land}${routes}${ports}`)
}

function chart(): Buffer {
  const grid = range(6)
    .map((i) =>
      line(
        [
          [90, 70 + i * 80],
          [1030, 70 + i * 80],
        ],
        '#e2e8f0',
        2,
      ),
    )
    .join('')
  const dice = createDice(3)
  const at = (i: number) => (i > 24 && i < 40 ? 330 - Math.abs(32 - i) * 26 : 40) + dice.roll() * 24
  const points = range(60).map((i) => [90 + i * 16, 470 - at(i)])
  const area = `<polygon points="${[[90, 470], ...points, [1034, 470]].join(' ')}" fill="#fecaca" opacity="0.6"/>`
  return svg(
    1080,
    540,
    `${box(0, 0, 1080, 540, 'white')}${grid}${box(474, 70, 256, 400, '#fef2f2')}${area}
    ${line(points, '#dc2626', 5)}${line(
      [
        [90, 390],
        [1030, 390],
      ],
      '#64748b',
      3,
      'stroke-dasharray="10 10"',
    )}`,
  )
}

function harbour(): Buffer {
  const dice = createDice(11)
  const glints = range(90)
    .map(() =>
      box(
        dice.between(0, 1240),
        dice.between(470, 830),
        dice.between(20, 120),
        3,
        '#fde68a',
        `opacity="${(0.1 + dice.roll() * 0.5).toFixed(2)}"`,
      ),
    )
    .join('')
  const windows = range(14)
    .map((i) => box(560 + i * 34, 420, 18, 14, '#fef3c7'))
    .join('')
  return svg(
    1280,
    860,
    `<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#312e81"/>
    <stop offset="0.55" stop-color="#f472b6"/><stop offset="1" stop-color="#fdba74"/></linearGradient>
    <linearGradient id="sea" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#c2410c"/><stop offset="1" stop-color="#1e1b4b"/></linearGradient></defs>
    ${box(0, 0, 1280, 470, 'url(#sky)')}${disc(330, 430, 92, '#fef3c7')}
    <polygon points="0,470 180,330 330,420 520,300 760,440 980,350 1280,470" fill="#4c1d95" opacity="0.75"/>
    ${box(0, 470, 1280, 390, 'url(#sea)')}${glints}
    <polygon points="480,450 1120,450 1060,540 560,540" fill="#0f172a"/>${box(540, 400, 500, 52, '#e2e8f0')}
    ${box(620, 350, 320, 52, '#cbd5e1')}${box(830, 280, 60, 74, '#dc2626')}${windows}`,
  )
}

function cake(): Buffer {
  const candles = range(5)
    .map(
      (i) =>
        `${box(520 + i * 60, 190, 14, 90, ['#60a5fa', '#f472b6', '#facc15', '#34d399', '#a78bfa'][i] as string)}${disc(527 + i * 60, 172, 14, '#fb923c')}`,
    )
    .join('')
  const drops = range(11)
    .map((i) => box(368 + i * 52, 330, 40, 50 + ((i * 37) % 60), '#fff1f2', 'rx="20"'))
    .join('')
  return svg(
    1280,
    860,
    `${box(0, 0, 1280, 860, '#fef3c7')}${box(0, 640, 1280, 220, '#d6a06b')}
    <ellipse cx="640" cy="690" rx="420" ry="60" fill="#f8fafc"/>${box(340, 280, 600, 400, '#92400e', 'rx="30"')}
    ${box(340, 480, 600, 34, '#fde68a')}${box(340, 280, 600, 80, '#fff1f2', 'rx="30"')}${drops}${candles}
    ${line(
      [
        [520, 580],
        [560, 610],
        [720, 610],
        [760, 580],
        [700, 580],
        [690, 560],
        [600, 560],
        [590, 580],
        [520, 580],
      ],
      '#fef3c7',
      8,
    )}`,
  )
}
