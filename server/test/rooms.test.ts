import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'

/** The rooms (folders or single files) of each root, from top to bottom. Rooms on the same floor don't import each other. */
const FLOORS: Record<string, string> = {
  server: `main worker > serve > app prepare-database > routes start-services > assistant backup demo exports imports later notifications previews retention scheduled scim tls > messages > sockets > channels > changes > services > search > access >
    files identity > limits groups > audit mail monitoring people push > realtime > bus route > http > db processes > config text postgres process errors > installation outbound`,
  web: 'service-worker main dev > app > pages > realtime > features > people > emoji > me > api-client socket > session > browser > cache > ui paths > i18n',
  'web/features/messages': `preload > later pins scheduled thread > list > row composer > actions > outbox content suggestions >
    sync editor read-aloud`,
  'web/pages': `shell > admin channel dashboard-page drafts-page later-page share threads-page > page-header read-all >
    search suggestions sign-in error-page`,
}

const files = globSync(['server/**/*.ts', 'web/**/*.{ts,tsx}', 'contract/**/*.ts']).filter(
  (file) => !/\.test\.ts|\.d\.ts|vite\.config|text-values|^\w+\/(test|build)\//.test(file),
)
const imports = files.flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/(?<!')\b(?:from|import)[\s(]*'([^']+)'/g)].map(([, name = '']) => ({
    file,
    target: name.startsWith('.') ? normalize(join(dirname(file), name)) : name.replace(/^#contract\//, 'contract/'),
  })),
)
const broken = (sentence: string, isBroken: (file: string, target: string) => boolean) =>
  imports
    .filter(({ file, target }) => isBroken(file, target))
    .map(({ file, target }) => `${sentence}: ${file} imports ${target}`)

for (const [root, order] of Object.entries(FLOORS)) {
  it(`rooms of ${root} import only rooms further down`, () => {
    const floors = order.split('>').map((floor) => floor.trim().split(/\s+/))
    const roomOf = (path: string) => path.slice(root.length + 1).replace(/\/.*|\.tsx?$/, '')
    const floorOf = (room: string) => floors.findIndex((floor) => floor.includes(room))
    const inside = (path: string) => path.startsWith(`${root}/`) && !path.endsWith('.css')

    const unplaced = new Set(
      files
        .filter(inside)
        .map(roomOf)
        .filter((room) => floorOf(room) < 0),
    )
    expect([...unplaced], `give each room of ${root}/ a floor in ${import.meta.filename}`).toEqual([])

    const upwards = broken(`${root} is built as "${order.replace(/\s+/g, ' ')}"`, (file, target) => {
      const [from, to] = [roomOf(file), roomOf(target)]
      if (!inside(file) || !inside(target) || from === to) return false
      return floorOf(to) <= floorOf(from)
    })
    expect(upwards).toEqual([])
  })
}

it('no feature imports another feature', () => {
  const featureOf = (path: string) => /^web\/features\/([^/]+)/.exec(path)?.[1]
  expect(
    broken('What two features share belongs into a room below them, or a page joins them', (file, target) => {
      const [from, to] = [featureOf(file), featureOf(target)]
      return from !== undefined && to !== undefined && from !== to
    }),
  ).toEqual([])
})

it('the contract imports itself and zod/mini; the server and the browser do not import each other', () => {
  expect([
    ...broken(
      'The contract runs on both sides',
      (file, target) => /^contract/.test(file) && !/^contract\/|^zod\/mini$/.test(target),
    ),
    ...broken('The server does not know the browser', (file, target) => /^server/.test(file) && /^web\//.test(target)),
    ...broken('The browser does not know the server', (file, target) => /^web/.test(file) && /^server\//.test(target)),
  ]).toEqual([])
})
