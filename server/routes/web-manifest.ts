import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { readEntry } from '../identity/workspace-entry.ts'
import { languagesIn, type MailTexts, mailTexts } from '../mail/mail-texts.ts'

const PRODUCT = 'Parley'
/** How much of a name fits below an icon. */
const MAX_SHORT_NAME = 12
/** `--paper-sunk` and `--paper` of tokens.css, in the light theme. */
const COLORS = { theme_color: '#f5f6f3', background_color: '#fdfefc' }

const png = (name: string, pixels: number, purpose = 'any') => ({
  src: `/${name}.png`,
  sizes: `${pixels}x${pixels}`,
  type: 'image/png',
  purpose,
})

/** What a browser needs to install Parley as an app: public, named after the workspace, in the language of the browser. */
export async function webManifest(app: FastifyInstance) {
  app.get('/manifest.webmanifest', async ({ headers }, reply) => {
    const { name } = await readEntry(app.db, app.config)
    const body = JSON.stringify(describeApp(name, mailTexts(...languagesIn(headers['accept-language']))))
    const etag = `"${createHash('sha256').update(body).digest('base64url')}"`
    reply.headers({ etag, 'cache-control': 'no-cache', vary: 'accept-language' })
    // A proxy that compresses makes the ETag weak.
    if (headers['if-none-match']?.includes(etag)) return reply.code(304).send()
    return reply.type('application/manifest+json').send(body)
  })
}

function describeApp(name: string, { language, direction, t }: MailTexts) {
  const shortcut = (page: string, title: string) => ({
    name: title,
    url: `/${page}`,
    icons: [png(`shortcut-${page}`, 96)],
  })
  return {
    name,
    short_name: shortNameOf(name, language),
    lang: language,
    dir: direction,
    id: '/',
    start_url: '/dashboard',
    scope: '/',
    display: 'standalone',
    ...COLORS,
    categories: ['business', 'productivity', 'social'],
    // One window. What is typed survives the navigation as a draft; for the rest, the page asks before it unloads.
    launch_handler: { client_mode: ['navigate-existing', 'auto'] },
    icons: [
      png('icon-192', 192),
      png('icon-512', 512),
      png('icon-maskable', 512, 'maskable'),
      png('icon-monochrome', 512, 'monochrome'),
    ],
    shortcuts: [
      shortcut('threads', t('threads.title')),
      shortcut('later', t('later.title')),
      shortcut('drafts', t('drafts.title')),
    ],
    share_target: {
      action: '/share',
      method: 'POST',
      enctype: 'multipart/form-data',
      params: { title: 'title', text: 'text', url: 'url', files: [{ name: 'files', accept: ['*/*'] }] },
    },
  }
}

/** As many whole words of the workspace's name as fit below an icon, or the product's name. */
export function shortNameOf(name: string, language: string): string {
  let cut = ''
  for (const { index, segment, isWordLike } of new Intl.Segmenter(language, { granularity: 'word' }).segment(name)) {
    const longer = name.slice(0, index + segment.length)
    if ([...longer].length > MAX_SHORT_NAME) return cut || PRODUCT
    // Without the '&' of 'Acme & Sons'.
    if (isWordLike) cut = longer
  }
  return name
}
