import { expect, test } from 'vitest'
import { parseLink } from './message-link.tsx'

const here = 'https://parley.test/channels/1?message=2'

test.each([
  ['/channels/5?message=7', 'page', '/channels/5?message=7'],
  ['https://parley.test/channels/5?message=7#x', 'page', '/channels/5?message=7#x'],
  ['HTTPS://PARLEY.TEST:443/channels/5', 'page', '/channels/5'],
  ['/dashboard', 'page', '/dashboard'],
  ['?message=3', 'page', '/channels/1?message=3'],
  ['/api/files/1/a.pdf', 'sameOrigin', 'https://parley.test/api/files/1/a.pdf'],
  ['/channels/../api/x', 'sameOrigin', 'https://parley.test/api/x'],
  ['https://parley.test//evil.example', 'sameOrigin', 'https://parley.test//evil.example'],
  ['http://parley.test/channels/5', 'external', 'http://parley.test/channels/5'],
  ['https://parley.test:8443/channels/5', 'external', 'https://parley.test:8443/channels/5'],
  ['//evil.example', 'external', 'https://evil.example/'],
  ['\\\\evil.example', 'external', 'https://evil.example/'],
  ['/\\evil.example', 'external', 'https://evil.example/'],
  ['\t//evil.example', 'external', 'https://evil.example/'],
  ['mailto:ada@example.com', 'external', 'mailto:ada@example.com'],
  ['xmpp:ada@example.com', 'external', 'xmpp:ada@example.com'],
  ['irc://irc.example/parley', 'external', 'irc://irc.example/parley'],
  ['ircs://irc.example/parley', 'external', 'ircs://irc.example/parley'],
])('%j leads to %s %s', (written, kind, url) => {
  expect(parseLink(written, here)).toEqual({ kind, url })
})

test.each([
  '',
  ' ',
  'javascript:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,x',
  'blob:https://parley.test/1',
  'vbscript:x',
  'file:///etc/passwd',
  'ftp://example.com',
  'https://',
  'http://[',
])('%j is not a link', (written) => {
  expect(parseLink(written, here)).toBeUndefined()
})
