import { expect, test } from 'vitest'
import { beginRelease, nameVersion } from './texts.mjs'

test('what is unreleased becomes a release', () => {
  const changelog = '# Changelog\n\n## Unreleased\n\n- Something new.\n\n## 0.2.0, 2026-11-29\n\n- The first.\n'
  const released = beginRelease(changelog, '0.3.0', '2027-01-05')
  expect(released).toBe(
    '# Changelog\n\n## Unreleased\n\n## 0.3.0, 2027-01-05\n\n- Something new.\n\n## 0.2.0, 2026-11-29\n\n- The first.\n',
  )
  expect(() => beginRelease(released, '0.4.0', '2027-01-05')).toThrow('nothing as unreleased')
})

test('examples of the manuals name the release', () => {
  const manual = 'parley-chat-0.2.0.tgz (Parley 0.2.0, Node 0.2.0), upgraded to parley-chat-0.3.0.tgz'
  expect(nameVersion(manual, '0.2.0', '0.10.0')).toBe(
    'parley-chat-0.10.0.tgz (Parley 0.10.0, Node 0.2.0), upgraded to parley-chat-0.3.0.tgz',
  )
})
