import { expect, test } from 'vitest'
import { bestOf } from './push.ts'

const page = (name: string, focused: boolean, visibilityState: DocumentVisibilityState) => ({
  name,
  focused,
  visibilityState,
})
const hidden = page('hidden', false, 'hidden')
const visible = page('visible', false, 'visible')
const focused = page('focused', true, 'visible')

test.each([
  [[], undefined],
  [[hidden], 'hidden'],
  [[hidden, visible], 'visible'],
  [[hidden, visible, focused], 'focused'],
])('a notification opens in the window that is nearest', (pages, name) => {
  expect(bestOf(pages)?.name).toBe(name)
})
