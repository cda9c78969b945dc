import { expect, test } from 'vitest'
import { destinationOf } from './message-link.tsx'

const here = 'https://parley.test/channels/1?message=2'

test.each([
  ['/channels/5?message=7', 'page', '/channels/5?message=7'],
  ['https://parley.test/channels/5?message=7#x', 'page', '/channels/5?message=7#x'],
  ['HTTPS://PARLEY.TEST:443/channels/5', 'page', '/channels/5'],
  ['/dashboard', 'page', '/dashboard'],
  ['?message=3', 'page', '/channels/1?message=3'],
  ['/api/files/1/a.pdf', 'ours', 'https://parley.test/api/files/1/a.pdf'],
  ['/channels/../api/x', 'ours', 'https://parley.test/api/x'],
  ['https://parley.test//evil.example', 'ours', 'https://parley.test//evil.example'],
  ['http://parley.test/channels/5', 'elsewhere', 'http://parley.test/channels/5'],
  ['https://parley.test:8443/channels/5', 'elsewhere', 'https://parley.test:8443/channels/5'],
  ['//evil.example', 'elsewhere', 'https://evil.example/'],
  ['\\\\evil.example', 'elsewhere', 'https://evil.example/'],
  ['/\\evil.example', 'elsewhere', 'https://evil.example/'],
  ['\t//evil.example', 'elsewhere', 'https://evil.example/'],
  ['mailto:ada@example.com', 'elsewhere', 'mailto:ada@example.com'],
  ['xmpp:ada@example.com', 'elsewhere', 'xmpp:ada@example.com'],
  ['irc://irc.example/parley', 'elsewhere', 'irc://irc.example/parley'],
  ['ircs://irc.example/parley', 'elsewhere', 'ircs://irc.example/parley'],
])('%j leads to %s %s', (written, kind, address) => {
  expect(destinationOf(written, here)).toEqual({ kind, address })
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
])('%j leads nowhere', (written) => {
  expect(destinationOf(written, here)).toBeUndefined()
})
