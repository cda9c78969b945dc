import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id } from './ids.ts'
import { limits } from './limits.ts'
import { Message } from './messages.ts'

export const LinkPreviewRule = z.object({
  /** Whether links in new messages get a preview. */
  isOn: z.boolean(),
  /** Whether the server's settings decide it (`LINK_PREVIEWS`). */
  isFixed: z.boolean(),
})
export type LinkPreviewRule = z.output<typeof LinkPreviewRule>

const rule = '/api/workspace/link-previews'

export const getLinkPreviewRule = endpoint({
  method: 'GET',
  path: rule,
  summary: 'Whether links in new messages get a preview. For the owner and admins.',
  reply: LinkPreviewRule,
})

export const setLinkPreviewRule = endpoint({
  method: 'PUT',
  path: rule,
  summary:
    'Set whether the server fetches links in new messages to show a preview. Previews that exist stay. For the owner and admins.',
  body: z.object({ isOn: z.boolean() }),
  reply: LinkPreviewRule,
})

export const removeLinkPreview = endpoint({
  method: 'DELETE',
  path: '/api/messages/:messageId/previews',
  summary: 'Remove the preview of a link from one of my messages, for everyone and for good.',
  params: z.object({ messageId: Id }),
  query: z.object({ url: z.string().check(z.maxLength(limits.linkLength)) }),
  reply: Message,
})

export const downloadPreviewPicture = endpoint({
  method: 'GET',
  path: '/api/previews/:pictureId',
  summary: 'The picture of a link preview, as a WebP of at most 800 × 600. Accepts the session cookie, too.',
  params: z.object({ pictureId: Id }),
  gives: 'image/webp',
  alsoStatus: 304,
  reply: z.file(),
})
