import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmAutolinkLiteralFromMarkdown } from 'mdast-util-gfm-autolink-literal'
import { gfmStrikethroughFromMarkdown } from 'mdast-util-gfm-strikethrough'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTaskListItemFromMarkdown } from 'mdast-util-gfm-task-list-item'
import { gfmAutolinkLiteral } from 'micromark-extension-gfm-autolink-literal'
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough'
import { gfmTable } from 'micromark-extension-gfm-table'
import { gfmTaskListItem } from 'micromark-extension-gfm-task-list-item'

type Tree = ReturnType<typeof fromMarkdown>
export type TreeNode = Tree | Tree['children'][number]

/**
 * Syntax that would change or hide words in a chat: HTML (it stays text), definitions (they would disappear), indented
 * code, and headings underlined with dashes. Footnotes are not enabled.
 */
const disabledSyntax = {
  disable: {
    null: ['htmlFlow', 'htmlText', 'definition', 'codeIndented', 'setextUnderline'],
  },
}
const options = {
  extensions: [gfmAutolinkLiteral(), gfmStrikethrough(), gfmTable(), gfmTaskListItem(), disabledSyntax],
  mdastExtensions: [
    gfmAutolinkLiteralFromMarkdown(),
    gfmStrikethroughFromMarkdown(),
    gfmTableFromMarkdown(),
    gfmTaskListItemFromMarkdown(),
  ],
}

/**
 * Matches a plain line of words, as most messages are. It is a single paragraph, and parsing it would take longer than
 * rendering the row. It starts with a letter or a mention, and contains nothing that could start an element or a link.
 */
const PLAIN = /^(?!.*(?::\/\/|www\.|\S@))[\p{L}@][^\\`*_~[\]<&|\p{C}\u2028\u2029]*$(?<!\s)/iu

/** Parses markdown. Returns undefined if that would take too long: the text is then shown as source. */
export function parseMarkdown(content: string): Tree | undefined {
  if (PLAIN.test(content))
    return { type: 'root', children: [{ type: 'paragraph', children: [{ type: 'text', value: content }] }] }
  if (isTooComplex(content)) return undefined
  try {
    return fromMarkdown(content, options)
  } catch (error) {
    console.error('Failed to parse markdown:', error)
    return undefined
  }
}

/** Delimiters that may begin or end emphasis; `_` within a word cannot. */
const DELIMITERS = /[*~]+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu
const BLANK_LINE = /\n[ \t]*\n/
/** Quotes and lists at the start of a line. */
const OPENINGS = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t])))+/gm

const MAX_LINES = 1000
const MAX_PARAGRAPH_DELIMITERS = 400
const MAX_DEPTH = 20
const MAX_TOTAL_DEPTH = 1500

/**
 * Parsing time is quadratic in the delimiters of a paragraph, and the stack grows with the nesting depth. Within these
 * limits parsing takes a few frames at most. Text written by hand hardly ever exceeds them.
 */
function isTooComplex(content: string): boolean {
  const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0
  if (count(content, /\n/g) > MAX_LINES) return true
  if (content.split(BLANK_LINE).some((paragraph) => count(paragraph, DELIMITERS) > MAX_PARAGRAPH_DELIMITERS))
    return true
  const depths = (content.match(OPENINGS) ?? []).map((opening) => opening.replace(/[\s\d]/g, '').length)
  return depths.some((depth) => depth > MAX_DEPTH) || depths.reduce((sum, depth) => sum + depth, 0) > MAX_TOTAL_DEPTH
}
