/** As in contract/mentions.ts: an unclosed block extends to the end, a span stays within its paragraph. */
const BLOCKS = /(`{3,}|^~~~)[\s\S]*?(?:\1|(?![\s\S]))`*/gm
const SPANS = /(?<!`)(``?)(?!`)(?:(?!\n[ \t]*\n)[\s\S])*?(?<!`)\1(?!`)/g
/** A span that is still being typed. */
const OPEN_SPAN = /(?:^|[\s([{"'])`[^\s`][^`\n]*$/

/** Whether an offset of a text lies in a code block or span. */
export function codeAt(text: string, offset: number): 'block' | 'span' | undefined {
  if (!text.includes('`') && !text.includes('~~~')) return undefined
  let isInBlock = false
  const rest = text.replace(BLOCKS, (block, fence: string, from: number) => {
    const isOpen = block.length < 2 * fence.length || !block.endsWith(fence)
    const end = from + block.length
    if (offset >= from + fence.length && (offset < end || (isOpen && offset === end))) isInBlock = true
    return ' '.repeat(block.length)
  })
  if (isInBlock) return 'block'
  let isInSpan = false
  const outside = rest.replace(SPANS, (span, _, from: number) => {
    if (offset > from && offset < from + span.length) isInSpan = true
    return ' '.repeat(span.length)
  })
  return isInSpan || OPEN_SPAN.test(outside.slice(0, offset)) ? 'span' : undefined
}
