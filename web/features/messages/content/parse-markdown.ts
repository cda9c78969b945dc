import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmAutolinkLiteralFromMarkdown } from 'mdast-util-gfm-autolink-literal'
import { gfmStrikethroughFromMarkdown } from 'mdast-util-gfm-strikethrough'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTaskListItemFromMarkdown } from 'mdast-util-gfm-task-list-item'
import { gfmAutolinkLiteral } from 'micromark-extension-gfm-autolink-literal'
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough'
import { gfmTable } from 'micromark-extension-gfm-table'
import { gfmTaskListItem } from 'micromark-extension-gfm-task-list-item'

export type Tree = ReturnType<typeof fromMarkdown>
export type TreeNode = Tree | Tree['children'][number]

/**
 * Leaves out syntax that would change or hide words in a chat: HTML (it stays text), definitions (they would vanish;
 * footnotes are no part of this parser), indented code, and headings by a line of dashes below a text.
 */
const without = {
  disable: {
    null: ['htmlFlow', 'htmlText', 'definition', 'codeIndented', 'setextUnderline'],
  },
}
const options = {
  extensions: [gfmAutolinkLiteral(), gfmStrikethrough(), gfmTable(), gfmTaskListItem(), without],
  mdastExtensions: [
    gfmAutolinkLiteralFromMarkdown(),
    gfmStrikethroughFromMarkdown(),
    gfmTableFromMarkdown(),
    gfmTaskListItemFromMarkdown(),
  ],
}

/** Parses markdown; returns undefined for a text that would take too long, which is then shown as source. */
export function treeOf(content: string): Tree | undefined {
  if (isTangled(content)) return undefined
  try {
    return fromMarkdown(content, options)
  } catch (error) {
    console.error('A text could not be parsed:', error)
    return undefined
  }
}

/** Delimiters that may begin or end emphasis; `_` within a word cannot. */
const DELIMITERS = /[*~]+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu
const BLANK_LINE = /\n[ \t]*\n/
/** Quotes and lists at the start of a line. */
const OPENINGS = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t])))+/gm

/**
 * The parser's time grows with the square of a paragraph's delimiters, its stack with the nesting depth. Within these
 * bounds no text takes longer than a few frames, and hardly any text that a person writes exceeds them.
 */
function isTangled(content: string): boolean {
  const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0
  if (count(content, /\n/g) > 1000) return true
  if (content.split(BLANK_LINE).some((paragraph) => count(paragraph, DELIMITERS) > 400)) return true
  const depths = (content.match(OPENINGS) ?? []).map((opening) => opening.replace(/[\s\d]/g, '').length)
  return depths.some((depth) => depth > 20) || depths.reduce((sum, depth) => sum + depth, 0) > 1500
}
