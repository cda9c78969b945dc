import { isQuoteUrl, type MessagePlace, messageAtPath } from '#contract/quotes'
import { parseLink } from './message-link.tsx'
import type { TreeNode } from './parse-markdown.ts'

/** More links than this in one message stay links. */
export const MAX_QUOTES = 5

/** The message of this workspace that a URL leads to, if any. */
export function messageAt(url: string): MessagePlace | undefined {
  const destination = parseLink(url)
  return destination?.kind === 'page' ? messageAtPath(destination.url) : undefined
}

/** The blocks of a message between its quotes, and where the quoted messages are. */
export function splitAtQuotes(blocks: readonly TreeNode[]): (MessagePlace | TreeNode[])[] {
  const parts: (MessagePlace | TreeNode[])[] = []
  let count = 0
  for (const block of blocks) {
    const place = count < MAX_QUOTES ? placeOf(block) : undefined
    const last = parts.at(-1)
    if (place) {
      parts.push(place)
      count++
    } else if (Array.isArray(last)) last.push(block)
    else parts.push([block])
  }
  return parts
}

/** The message that a block quotes: its only content is a quote, or the address of a message. */
function placeOf(block: TreeNode) {
  if (block.type !== 'paragraph' || block.children.length !== 1) return undefined
  const [link] = block.children
  if (link?.type !== 'link' || !(isQuoteUrl(link.url) || isBare(link))) return undefined
  return messageAt(link.url)
}

/** Whether the text of a link is its URL, possibly without the scheme, as in 'example.com'. */
export const isBare = ({ url, children: [text] }: Extract<TreeNode, { type: 'link' }>) =>
  text?.type === 'text' && url.endsWith(text.value)
