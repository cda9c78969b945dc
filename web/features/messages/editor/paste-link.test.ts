import { expect, test } from 'vitest'
import { pasteAsLink } from './paste-link.ts'

function pasted(drawn: string, url: string) {
  const start = drawn.indexOf('‹')
  const end = drawn.indexOf('›') - 1
  const text = drawn.replace(/[‹›]/g, '')
  const change = pasteAsLink(text, start, end, url)
  return change && text.slice(0, change.from) + change.text + text.slice(change.to)
}

test.each([
  ['see ‹this› now', 'https://a.example/b?c=d#e', 'see [this](https://a.example/b?c=d#e) now'],
  ['‹a [b]›', ' http://a.example \n', '[a \\[b\\]](http://a.example)'],
  ['‹wiki›', 'https://a.example/A_(b)', '[wiki](https://a.example/A_%28b%29)'],
])('%s', (drawn, url, expected) => expect(pasted(drawn, url)).toBe(expected))

test.each([
  ['see ‹› now', 'https://a.example'],
  ['‹https://b.example›', 'https://a.example'],
  ['‹word›', 'not an address'],
  ['‹word›', 'javascript:alert(1)'],
  ['‹word›', 'https://a.example and more'],
  ['`a ‹word›`', 'https://a.example'],
  ['```\n‹word›\n```', 'https://a.example'],
  ['‹one\n\ntwo›', 'https://a.example'],
])('%s is pasted unchanged', (drawn, url) => expect(pasted(drawn, url)).toBeUndefined())
