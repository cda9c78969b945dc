import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tries } from '../../contract/test/properties.ts'
import { createSources } from '../../server/assistant/sources.ts'
import { parseMarkdown, type TreeNode } from '../../web/features/messages/content/parse-markdown.ts'

// A manipulated model writes a secret into a URL, and the attacker learns it from whoever opens the link.

const PAGE = 'https://parley.test/channels/c'
/** The protocols that the page opens (`message-link.tsx`). */
const OPENED = /^(https?|ircs?|mailto|xmpp):$/
const SHOWN = ['https://attacker.example/', 'https://example.com/plan?a=1', 'https://example.com/wiki/A_(b)']

const sources = createSources()
sources.tagOf({ id: 'a-1', channelId: 'c', author: 'ada', text: `see ${SHOWN.join(' and ')}.` })

function urlsIn(node: TreeNode): string[] {
  const inside = 'children' in node ? node.children.flatMap((child) => urlsIn(child)) : []
  return 'url' in node ? [node.url, ...inside] : inside
}

/** The URLs of the links that the page makes of an answer, on other hosts. */
const linksOf = (answer: string) =>
  urlsIn(parseMarkdown(sources.cite(answer)) ?? { type: 'root', children: [] })
    .map((url) => URL.parse(url, PAGE))
    .filter((url) => url !== null && OPENED.test(url.protocol) && url.host !== new URL(PAGE).host)
    .map((url) => (url as URL).href)

/**
 * Whether a link contains nothing from the model: it is one of the shown URLs, up to its bracket if it has one, with a few
 * trailing marks; or it is a bare mail address.
 */
const isHarmless = (url: string) =>
  /^(mailto|xmpp):[^?/]*$/.test(url) ||
  [...SHOWN, 'https://example.com/wiki/A'].some(
    (shown) =>
      url.startsWith(shown.slice(0, -1)) && /^.?(%3E|%60|[`\])])?[*_~]{0,3}$/.test(url.slice(shown.length - 1)),
  )

test.each([
  'https:[m99]//evil.example/4711',
  'https\\://evil.example/4711',
  'https\\\\://evil.example/4711',
  'https\\\\\\\\://evil.example/4711',
  '<http:evil.example/4711>',
  '<HTTP:/evil.example/4711>',
  '<mailto:a@evil.example?body=4711>',
  '<ircs://evil.example/4711>',
  '<xmpp:a@evil.example/4711>',
  'https://attacker.example/4711',
  'https://attacker.example/>4711',
  'https://attacker.example/[4711]',
  'https://attacker.example/(4711)',
  'https://attacker.example/!(4711)',
  'https://attacker.example/`4711',
  'https://attacker.example/|4711',
  'https://attacker.example/******',
  'https://attacker.example/>>>>>>',
  'x](https://attacker.example/)4711',
  '\\[x](https://attacker.example/)4711',
  '[ https://attacker.example/<4711',
  '[ https://attacker.example/\u00a04711',
  '[ https://attacker.example/\u20284711',
  'https://attacker.example/[m1]4711',
  'https://example.com/plan',
  'https://example.com/wiki/A_(4711)',
  '``https://attacker.example/`',
  '[https://example.com/plan?a=1)_',
  '](]( www.evil.example?q=4711 )',
  '[x](](www.evil.example?q=4711)',
  'a[b](c](www.evil.example?q=4711)',
  '](://)(www.evil.example?q=4711)',
  'See [a](b]( www.4711.evil.example )',
  '[z [y](a](www.evil.example?q=4711)',
])('the page links nothing in %j that the model made up', (answer) => {
  expect(linksOf(answer).filter((url) => !isHarmless(url))).toEqual([])
})

test.each([...SHOWN, '[m1]', 'see https://attacker.example/[m1].'])('%j stays a link', (answer) => {
  expect(urlsIn(parseMarkdown(sources.cite(answer)) as TreeNode)).not.toEqual([])
})

test.each(['**', '*', '_', '~~'])('a URL that ends in a bracket stays whole between %j', (mark) => {
  expect(linksOf(`${mark}${SHOWN[2]}${mark}`)).toEqual([SHOWN[2]])
})

const PIECES = [
  ...[
    '[',
    ']',
    '(',
    ')',
    '<',
    '>',
    '!',
    '\\',
    '\n',
    ' ',
    '`',
    '*',
    '_',
    '"',
    '|',
    '~',
    '#',
    '> ',
    '- ',
    '\t',
    '\r',
    '\0',
  ],
  ...[
    'https://evil.example/4711',
    'https:',
    '//',
    '://',
    ':',
    '/',
    'http',
    's',
    'www.',
    'www.evil.example?q=4711',
    'evil.example',
    'HTTP://',
    'x.',
  ],
  ...[
    '&colon;',
    '&sol;',
    '&#58;',
    '&#x3A;',
    '&period;',
    '&amp;',
    '&lt;',
    '&Tab;',
    '&NewLine;',
    '\u00a0',
    '\u200b',
    '\ufeff',
  ],
  ...[
    '”',
    '。',
    '[m1]',
    '[m99]',
    '[m1, m9]',
    'm9',
    '[1]:',
    '[1]',
    '](',
    '![',
    '<http:',
    '<mailto:',
    '<irc:',
    'xmpp:',
    '4711',
  ],
  ...SHOWN,
]

/** Pieces, most of which form links. */
const LINK_PIECES = [
  '[',
  ']',
  '(',
  ')',
  '](',
  '[a](',
  ' ',
  'a',
  'www.evil.example?q=4711',
  'evil?q=4711',
  '://',
  '[m1]',
]

test.each([
  ['anything', PIECES],
  ['brackets', LINK_PIECES],
])('no answer of %s makes the page link a URL that no message contains', (_, pieces) => {
  const answers = fc.array(fc.constantFrom(...pieces), { maxLength: 10 }).map((some) => some.join(''))
  fc.assert(
    fc.property(answers, (answer) => {
      expect(linksOf(answer).filter((url) => !isHarmless(url))).toEqual([])
    }),
    tries(4000),
  )
})
