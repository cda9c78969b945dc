import { expect, test } from 'vitest'
import { limits } from '#contract/limits'
import { excessIn } from './unsent-message.ts'

test.each([
  ['no text and no files', '', 0, undefined],
  ['as many files as possible', '', limits.attachments, undefined],
  ['too many files', '', limits.attachments + 1, `You can attach up to ${limits.attachments} files`],
  ['too long a text', 'x'.repeat(limits.messageContent + 1), 0, expect.stringContaining('1 ')],
])('what cannot be sent: %s', (_, content, fileCount, problem) => {
  expect(excessIn(content, fileCount)).toEqual(problem)
})
