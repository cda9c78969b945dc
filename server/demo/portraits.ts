import sharp from 'sharp'

// Drawn to be told apart at 20 pixels: by the ground, the outline of the hair, and the colour of the clothes.

interface Portrait {
  ground: string
  skin: string
  hair: string
  clothes: string
  /** Behind the head and shoulders. */
  behind?: (hair: string) => string
  /** Over the face. */
  front: (hair: string) => string
  neckline: (clothes: string, skin: string) => string
  /** Such as glasses. */
  more?: (portrait: Portrait) => string
}

const SIDE = 256
const INK = '#3a2a2a'

const path = (d: string, fill: string, more = '') => `<path d="${d}" fill="${fill}" ${more}/>`
const disc = (x: number, y: number, r: number, fill: string, more = '') =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}" ${more}/>`
const stroke = (d: string, colour: string, width: number, more = '') =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" ${more}/>`

/** A colour mixed with black or, if the share is negative, with white. */
function shade(colour: string, share: number): string {
  const target = share < 0 ? 255 : 0
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
  const mixed = parts.map((part) => Math.round(part + (target - part) * Math.abs(share)))
  return `#${mixed.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

const HEAD = 'M78 108C78 72 98 50 128 50S178 72 178 108V126C178 162 154 188 128 188S78 162 78 126Z'

const heads = {
  crop: (hair: string) =>
    path(
      'M72 120C64 62 92 34 132 34C172 34 194 64 184 120C180 104 176 94 166 86C142 92 112 90 94 80C84 90 76 102 72 120Z',
      hair,
    ),
  sidePart: (hair: string) =>
    path(
      'M70 124C60 70 84 30 136 32C180 34 196 70 186 124C182 106 178 96 168 88C140 88 116 80 104 66C98 86 78 96 70 124Z',
      hair,
    ),
  fringe: (hair: string) =>
    path(
      'M70 132C62 70 84 34 128 34S194 70 186 132C184 118 182 112 180 106C146 112 110 112 76 106C74 112 72 118 70 132Z',
      hair,
    ),
  middlePart: (hair: string) =>
    path('M68 140C58 74 84 34 128 34S198 74 188 140C186 112 164 98 128 62C92 98 70 112 68 140Z', hair),
  quiff: (hair: string) =>
    path(
      'M72 120C64 84 74 54 104 42C128 28 180 30 190 62C194 84 190 104 184 120C181 104 177 94 168 86C140 84 116 78 98 70C86 84 77 98 72 120Z',
      hair,
    ),
  curls: (hair: string) =>
    '78 84 24, 92 58 26, 120 44 28, 150 48 26, 172 68 24, 182 92 19, 106 72 22, 136 68 24, 160 80 18, 74 104 14'
      .split(', ')
      .map((curl) => curl.split(' ').map(Number))
      .map(([x = 0, y = 0, r = 0]) => disc(x, y, r, hair))
      .join(''),
  round: (hair: string) => path('M74 122C70 74 92 50 128 50S186 74 182 122C178 100 166 84 128 84S78 100 74 122Z', hair),
  wave: (hair: string) =>
    path(
      'M66 146C56 84 78 32 132 32C182 34 200 80 190 146C186 118 176 104 160 92C136 96 120 88 112 74C104 100 76 110 66 146Z',
      hair,
    ),
}

const backs = {
  bob: (hair: string) =>
    path(
      'M128 32C78 32 54 70 58 118C60 148 58 166 54 182C74 194 94 190 104 184H152C162 190 182 194 202 182C198 166 196 148 198 118C202 70 178 32 128 32Z',
      hair,
    ),
  long: (hair: string) =>
    path(
      'M128 30C76 30 52 70 56 124C58 166 46 196 44 240C74 254 182 254 212 240C210 196 198 166 200 124C204 70 180 30 128 30Z',
      hair,
    ),
  waves: (hair: string) =>
    path(
      'M128 28C74 28 48 66 54 112C56 134 40 142 42 166C44 184 36 196 44 220C60 244 96 236 104 214H152C160 236 196 244 212 220C220 196 212 184 214 166C216 142 200 134 202 112C208 66 182 28 128 28Z',
      hair,
    ),
  bun: (hair: string) => disc(128, 38, 25, hair),
  ponytail: (hair: string) =>
    path('M176 60C214 52 232 86 222 128C216 158 224 178 234 192C206 200 186 178 186 146C186 116 178 90 176 60Z', hair),
}

const necklines = {
  crew: (clothes: string, skin: string) =>
    `${disc(128, 184, 30, shade(skin, 0.12))}${stroke('M97 190A31 27 0 0 0 159 190', shade(clothes, 0.16), 7)}`,
  vee: (clothes: string, skin: string) =>
    `${path('M98 184L128 232L158 184Z', shade(skin, 0.12))}${stroke('M97 186L128 234L159 186', shade(clothes, 0.18), 7)}`,
  collar: (clothes: string, skin: string) =>
    `${path('M100 186L128 216L156 186Z', shade(skin, 0.12))}${path('M100 178L86 200L112 224L128 208ZM156 178L170 200L144 224L128 208Z', shade(clothes, -0.35))}`,
  roll: (clothes: string) =>
    path('M96 180C112 190 144 190 160 180L164 208C144 220 112 220 92 208Z', shade(clothes, -0.14)),
  hood: (clothes: string, skin: string) =>
    `${path('M88 176Q128 146 168 176V208H88Z', shade(clothes, 0.3))}${disc(128, 184, 28, shade(skin, 0.12))}${path('M92 176C70 190 66 210 82 222C100 214 116 226 128 234C140 226 156 214 174 222C190 210 186 190 164 176C166 200 146 214 128 214S90 200 92 176Z', shade(clothes, 0.16))}${stroke('M114 226V248M142 226V248', shade(clothes, -0.55), 5)}`,
  jacket: (clothes: string) =>
    `${path('M98 182L128 206L158 182L174 256H82Z', '#fbf3e6')}${path('M100 178L78 190L108 256H128L96 200ZM156 178L178 190L148 256H128L160 200Z', shade(clothes, 0.2))}`,
}

const glasses = (colour: string) => () =>
  `${[104, 152].map((x) => disc(x, 124, 18, '#ffffff', `fill-opacity="0.16" stroke="${colour}" stroke-width="6"`)).join('')}${stroke('M122 122Q128 118 134 122', colour, 6)}`
const beard =
  (colour?: string) =>
  ({ hair }: Portrait) =>
    `${path('M77 116C84 134 92 146 106 146C118 142 138 142 150 146C164 146 172 134 179 116V128C179 172 154 200 128 200S77 172 77 128Z', colour ?? hair)}${stroke('M114 162Q128 170 142 162', '#fff1e6', 6)}`
const earrings = (colour: string) => () => `${disc(74, 146, 7, colour)}${disc(182, 146, 7, colour)}`
const moustache = ({ hair }: Portrait) =>
  path(
    'M102 158C108 144 122 146 128 150C134 146 148 144 154 158C144 164 134 160 128 158C122 160 112 164 102 158Z',
    hair,
  )
const all =
  (...parts: ((portrait: Portrait) => string)[]) =>
  (portrait: Portrait) =>
    parts.map((part) => part(portrait)).join('')

function face({ skin, hair }: Portrait): string {
  const line = shade(skin, 0.34)
  const brow = shade(hair, 0.15)
  return `${disc(76, 126, 14, shade(skin, 0.08))}${disc(180, 126, 14, shade(skin, 0.08))}${path(HEAD, skin)}
    ${path('M150 54C168 62 178 82 178 108V126C178 162 154 188 128 188C158 176 168 140 164 104C162 82 158 66 150 54Z', shade(skin, 0.12), 'opacity="0.5"')}
    ${disc(96, 144, 11, '#e8705f', 'opacity="0.22"')}${disc(160, 144, 11, '#e8705f', 'opacity="0.22"')}
    ${disc(106, 124, 6, INK)}${disc(150, 124, 6, INK)}
    ${stroke('M94 106Q105 99 116 105M140 105Q151 99 162 106', brow, 5.5)}
    ${stroke('M128 126Q124 140 132 142', line, 4.5)}${stroke('M112 158Q128 172 144 158', shade(skin, 0.5), 5.5)}`
}

function draw(portrait: Portrait): Buffer {
  const { ground, skin, hair, clothes, behind, front, neckline, more } = portrait
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512" viewBox="0 0 ${SIDE} ${SIDE}">
    <rect width="${SIDE}" height="${SIDE}" fill="${ground}"/>${disc(128, 128, 112, shade(ground, -0.12))}
    <g transform="translate(128 150) scale(1.1) translate(-128 -150)">${behind?.(hair) ?? ''}
    ${path('M24 256C24 212 58 198 100 190H156C198 198 232 212 232 256Z', clothes)}
    ${path('M102 160H154V194C154 216 102 216 102 194Z', shade(skin, 0.12))}
    ${neckline(clothes, skin)}${face(portrait)}${front(hair)}${more?.(portrait) ?? ''}</g></svg>`)
}

const SKINS = { rose: '#f7d2bb', light: '#f0c09c', tan: '#dfa97d', olive: '#c98e62', brown: '#a56a41', deep: '#7b4a2f' }
const HAIRS = {
  black: '#2b2430',
  dark: '#4a2f28',
  chestnut: '#7a4426',
  ginger: '#c8622a',
  blond: '#e3b45b',
  grey: '#b9b4b1',
  rose: '#d9587f',
}

/** By username. Some people of the demo have no picture, as in any workspace. */
const looks: Record<string, Portrait> = {
  ada: {
    ground: '#eab04a',
    skin: SKINS.light,
    hair: HAIRS.dark,
    clothes: '#7c3f8c',
    behind: backs.bun,
    front: heads.middlePart,
    neckline: necklines.roll,
    more: earrings('#fff6df'),
  },
  bob: {
    ground: '#6fa8c9',
    skin: SKINS.rose,
    hair: HAIRS.chestnut,
    clothes: '#2f5d50',
    front: heads.sidePart,
    neckline: necklines.collar,
    more: all(beard(), glasses('#3b2a25')),
  },
  mei: {
    ground: '#e98b7d',
    skin: SKINS.light,
    hair: HAIRS.black,
    clothes: '#f3c34c',
    behind: backs.bob,
    front: heads.fringe,
    neckline: necklines.crew,
  },
  tomas: {
    ground: '#7fb77e',
    skin: SKINS.tan,
    hair: HAIRS.dark,
    clothes: '#e5533d',
    front: heads.curls,
    neckline: necklines.crew,
    more: moustache,
  },
  eve: {
    ground: '#5b6fa8',
    skin: SKINS.rose,
    hair: HAIRS.blond,
    clothes: '#f1ece2',
    behind: backs.long,
    front: heads.wave,
    neckline: necklines.vee,
  },
  zoe: {
    ground: '#bfe3d0',
    skin: SKINS.rose,
    hair: HAIRS.rose,
    clothes: '#33415c',
    behind: backs.bob,
    front: heads.sidePart,
    neckline: necklines.hood,
  },
  layla: {
    ground: '#b58bd1',
    skin: SKINS.olive,
    hair: HAIRS.black,
    clothes: '#1f8a70',
    behind: backs.waves,
    front: heads.middlePart,
    neckline: necklines.vee,
    more: earrings('#f6c945'),
  },
  kenji: {
    ground: '#d8c3a5',
    skin: SKINS.light,
    hair: '#77727a',
    clothes: '#274060',
    front: heads.quiff,
    neckline: necklines.jacket,
    more: glasses('#2b2430'),
  },
  priya: {
    ground: '#f3c6d3',
    skin: SKINS.brown,
    hair: HAIRS.black,
    clothes: '#e8772e',
    behind: backs.ponytail,
    front: heads.sidePart,
    neckline: necklines.crew,
    more: glasses('#2f6f73'),
  },
  chidi: {
    ground: '#d9694a',
    skin: SKINS.deep,
    hair: HAIRS.black,
    clothes: '#e8eef2',
    front: heads.round,
    neckline: necklines.crew,
    more: beard('#241c22'),
  },
  grace: {
    ground: '#3d8f86',
    skin: SKINS.rose,
    hair: HAIRS.ginger,
    clothes: '#f4e3c1',
    behind: backs.waves,
    front: heads.fringe,
    neckline: necklines.crew,
  },
  nikos: {
    ground: '#94a9d8',
    skin: SKINS.tan,
    hair: HAIRS.grey,
    clothes: '#8c3b2e',
    front: () => '',
    neckline: necklines.roll,
    more: beard(),
  },
  jiwoo: {
    ground: '#c7d66d',
    skin: SKINS.light,
    hair: HAIRS.black,
    clothes: '#6b5bd2',
    front: heads.crop,
    neckline: necklines.hood,
  },
}

/** Draws the portraits, by username. */
export const portraits: Record<string, () => Promise<Buffer>> = Object.fromEntries(
  Object.entries(looks).map(([username, look]) => [username, () => sharp(draw(look)).png().toBuffer()]),
)
