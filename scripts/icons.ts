// Renders the pictures of the installed app from web/public/icon.svg and the icons of the sidebar. Run it after changing them.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Bookmark, type LucideIcon, MessagesSquare, PenLine } from 'lucide-react'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import sharp from 'sharp'
import { root } from './run-node.mjs'

const folder = join(root, 'web/public')
const icon = readFileSync(join(folder, 'icon.svg'), 'utf8')
const ground = /fill="(#\w{6})"/.exec(icon)?.[1]
const ink = /stroke="(#\w{6})"/.exec(icon)?.[1]
if (!ground || !ink) throw new Error('icon.svg has no colours for its ground and its mark')

/** Without rounded corners: the system cuts out its own shape. */
const fullBleed = icon.replace(/ rx="\d+"/, '')
/** Systems colour it themselves, and read only its transparency. */
const mark = icon.replace(/<rect[^>]*\/>/, '').replace(ink, '#ffffff')

const SHORTCUT_PIXELS = 96
const shortcuts: Record<string, LucideIcon> = { threads: MessagesSquare, later: Bookmark, drafts: PenLine }

function shortcutSvg(Icon: LucideIcon) {
  const half = SHORTCUT_PIXELS / 2
  const drawing = renderToStaticMarkup(createElement(Icon, { size: half, color: ink, x: half / 2, y: half / 2 }))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SHORTCUT_PIXELS} ${SHORTCUT_PIXELS}">
    <circle cx="${half}" cy="${half}" r="${half}" fill="${ground}"/>${drawing}</svg>`
}

async function write(name: string, svg: string, pixels: number, isOpaque = false) {
  // 72 dots per inch show an SVG in the size of its viewBox.
  const [, width] = /viewBox="0 0 (\d+)/.exec(svg) ?? []
  const picture = sharp(Buffer.from(svg), { density: (72 * pixels) / Number(width) }).resize(pixels, pixels)
  const png = await (isOpaque ? picture.flatten({ background: ground }) : picture)
    .png({ compressionLevel: 9, effort: 10, palette: true, colours: 64 })
    .toBuffer()
  writeFileSync(join(folder, name), png)
}

await write('icon-192.png', icon, 192)
await write('icon-512.png', icon, 512)
await write('icon-maskable.png', fullBleed, 512, true)
await write('icon-monochrome.png', mark, 512)
await write('apple-touch-icon.png', fullBleed, 180, true)
for (const [name, Icon] of Object.entries(shortcuts))
  await write(`shortcut-${name}.png`, shortcutSvg(Icon), SHORTCUT_PIXELS)
