import fc from 'fast-check'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmAutolinkLiteralFromMarkdown } from 'mdast-util-gfm-autolink-literal'
import { gfmStrikethroughFromMarkdown } from 'mdast-util-gfm-strikethrough'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTaskListItemFromMarkdown } from 'mdast-util-gfm-task-list-item'
import { gfmAutolinkLiteral } from 'micromark-extension-gfm-autolink-literal'
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough'
import { gfmTable } from 'micromark-extension-gfm-table'
import { gfmTaskListItem } from 'micromark-extension-gfm-task-list-item'
import { expect, it } from 'vitest'
import { tries } from '../../../../contract/test/properties.ts'
import { slackText } from '../slack/slack-text.ts'
import { zulipContent } from '../zulip/zulip-text.ts'
import { escapeMarkdown, inlineCode } from './markdown.ts'

interface Node {
  type: string
  value?: string
  children?: Node[]
}

/** Parses a text like the client. */
const parse = (markdown: string): Node =>
  fromMarkdown(markdown, {
    extensions: [
      gfmAutolinkLiteral(),
      gfmStrikethrough(),
      gfmTable(),
      gfmTaskListItem(),
      { disable: { null: ['htmlFlow', 'htmlText', 'definition', 'codeIndented', 'setextUnderline'] } },
    ],
    mdastExtensions: [
      gfmAutolinkLiteralFromMarkdown(),
      gfmStrikethroughFromMarkdown(),
      gfmTableFromMarkdown(),
      gfmTaskListItemFromMarkdown(),
    ],
  })
const nodes = (node: Node): Node[] => [node, ...(node.children ?? []).flatMap(nodes)]
const words = (node: Node) =>
  nodes(node)
    .map(({ value, type }) => (type === 'break' ? ' ' : (value ?? '')))
    .join('')
    .replace(/\s+/g, '')

const markup = fc.string({ unit: fc.constantFrom(...'*_~`[]()<>#+-=|!&;:.\\ \n1ax"é字'), maxLength: 40 })

it('escaped text renders literally, without markup', () => {
  fc.assert(
    fc.property(markup, (text) => {
      const tree = parse(escapeMarkdown(text))
      expect(words(tree)).toBe(text.replace(/\s+/g, ''))
      const kinds = new Set(nodes(tree).map(({ type }) => type))
      expect([...kinds].filter((kind) => !['root', 'paragraph', 'text', 'link', 'break'].includes(kind))).toEqual([])
    }),
    tries(2000),
  )
})

it('code renders literally', () => {
  fc.assert(
    fc.property(markup, (text) => {
      fc.pre(text.trim() !== '')
      expect(words(parse(`x ${inlineCode(text)} x`))).toBe(`x${text.replace(/\s+/g, '')}x`)
    }),
    tries(500),
  )
})

it('converting any text of Slack or Zulip neither fails nor loses a letter', () => {
  const letters = (text: string) => text.replace(/[^a-zé字]/g, '')
  const units = fc.constantFrom(...'*_~`<>@#!|&;:.\\ \n1axé字', '```', '~~~', 'quote', '@**', '&gt;')
  fc.assert(
    fc.property(fc.string({ unit: units, maxLength: 40 }), (text) => {
      const shown = (parts: object[]) => letters(parts.map((part) => Object.values(part).join('')).join(''))
      const named = { people: new Map(), channels: new Map(), channelKeys: new Set<string>() }
      fc.pre(!/:\w+:/.test(text))
      if (!/[<&]/.test(text)) expect(shown(slackText(text))).toBe(letters(text))
      if (!/quote/.test(text)) expect(shown(zulipContent(text, named))).toBe(letters(text))
      expect(() => [slackText(text), zulipContent(text, named)]).not.toThrow()
    }),
    tries(1000),
  )
})
