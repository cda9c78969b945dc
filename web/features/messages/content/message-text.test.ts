import { expect, test } from 'vitest'
import { limits } from '#contract/limits'
import { expectHarmless, shown, words } from '../../../test/render-message.ts'

const full = (piece: string) => piece.repeat(limits.messageContent / piece.length)
const tangled = {
  emphasis: full('*_*_'),
  'emphasis that never ends': full('*a_ '),
  'emphasis within emphasis': `${'**a '.repeat(1200)}${' a**'.repeat(1200)}`,
  'emphasis in many paragraphs': full(`${'*_'.repeat(290)}a\n\n`),
  'emphasis after what looks like code': ` \`\`\`\n\`\`\`\n${'**a '.repeat(1200)}${' a**'.repeat(1200)}`,
  strikes: full('~a'),
  'open brackets': full('['),
  'brackets that close': `${'['.repeat(5000)}${']'.repeat(5000)}`,
  'links within links': `${'[a*'.repeat(1200)}${'](b)'.repeat(1200)}`,
  'ends of links': full(']('),
  'one long link': `[a](${'b'.repeat(9990)})`,
  'open parentheses': `[a](${'('.repeat(9990)}`,
  pictures: full('!['),
  backticks: full('`'),
  'backticks of all lengths': Array.from({ length: 135 }, (_, i) => '`'.repeat(i)).join(' a '),
  'one word': 'x'.repeat(10_000),
  lines: full('a\n'),
  'blank lines': full('\n\na'),
  'quotes a thousand deep': `${'> '.repeat(1000)}a`,
  'quotes all the way': `${'>'.repeat(9999)}a`,
  'lists a thousand deep': `${'- '.repeat(1000)}a`,
  'lists all the way': `${'1. '.repeat(3333)}`,
  'lists and quotes': full('- > '),
  'lists by their indentation': Array.from({ length: 138 }, (_, i) => `${' '.repeat(i)}- a`).join('\n'),
  'a table without end': `|a|b|\n|-|-|\n${full('|a|b|\n').slice(0, 9900)}`,
  'a table a thousand wide': `${'|a'.repeat(1000)}|\n${'|-'.repeat(1000)}|`,
  fences: full('```\n'),
  headings: full('# a\n'),
  addresses: full('http://a.b '),
  'half an address': full('www.'),
  'half a mail address': `${'a.'.repeat(4990)}@b`,
  'many mail addresses': full('a@a.b '),
  entities: full('&amp;'),
  'less than': full('<a '),
  comments: full('<!--'),
  escapes: full('\\'),
  boxes: full('- [ ] a\n'),
  names: full('@ada '),
  channels: full('#a '),
  'all of it': full('*[`>~_<'),
}

test.each(Object.entries(tangled))('%s: rendered without losing a word', (_, content) => {
  const html = expectHarmless(content)
  const letters = (text: string) => text.replace(/[^a-z]/g, '')
  if (!/[[&:#@]/.test(content)) expect(letters(words(html))).toBe(letters(content))
})

test('nodes nested too deeply are shown as source', () => {
  expect(words(shown(`${'> '.repeat(20)}*deep*`))).toContain('> *deep*')
  expect(shown(`${'> '.repeat(21)}*deep*`)).toBe(
    `<div class="prose"><p dir="auto">${'&gt; '.repeat(21)}*deep*</p></div>`,
  )
})

test.each([
  ['one\ntwo', '<p dir="auto">one\ntwo</p>'],
  ['one  \ntwo', '<p dir="auto">one<br/>two</p>'],
  ['said\n---', '<p dir="auto">said</p><hr/>'],
  ['said\n-', '<p dir="auto">said\n-</p>'],
  ['    four spaces', '<p dir="auto">four spaces</p>'],
  ['[ada]: gone to lunch', '<p dir="auto">[ada]: gone to lunch</p>'],
  ['[^1]: see there', '<p dir="auto">[^1]: see there</p>'],
  ['# Plan', '<h3 dir="auto">Plan</h3>'],
  [
    '9. nine\n10. ten',
    '<ol dir="auto" start="9" style="padding-inline-start:max(1.5em, 3.5ch)"><li><p>nine</p></li><li><p>ten</p></li></ol>',
  ],
  [
    '- [x] done',
    '<ul dir="auto"><li class="task"><input type="checkbox" disabled="" aria-label="Done" checked=""/><p>done</p></li></ul>',
  ],
  ['~~no~~ *yes*', '<p dir="auto"><del>no</del> <em>yes</em></p>'],
])('%j', (content, html) => {
  expect(shown(content)).toBe(`<div class="prose">${html}</div>`)
})

test.each([
  ['👍', true],
  ['👍🏽 🎉', true],
  ['👩‍👩‍👧‍👦🇩🇪1️⃣❤️🏴󠁧󠁢󠁥󠁮󠁧󠁿', true],
  ['👍👍👍👍👍👍', false],
  ['👍 yes', false],
  ['12', false],
  ['#', false],
])('%s is shown large: %s', (content, isLarge) => {
  expect(shown(content).includes('class="prose emoji"')).toBe(isLarge)
})
