import { expect, test, vi } from 'vitest'
import { ApiError } from '../../../api-client/api.ts'
import { sendFile } from '../../../api-client/upload-file.ts'
import { type Attachment, attachmentsIn, setAttachments } from './attachments.ts'
import { conversationKey } from './pending-message.ts'
import { retryAttachment } from './uploads.ts'

vi.mock('../../../api-client/upload-file.ts', () => ({ sendFile: vi.fn() }))

const to = { channelId: 'launch', threadId: null }

test('a file that a proxy rejects without a reason shows a generic error', async () => {
  vi.mocked(sendFile).mockRejectedValue(new ApiError(413))
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const file = new File(['x'], 'plan.txt')
  const attachment: Attachment = { key: 'a', name: 'plan.txt', type: '', size: 1, state: 'failed', share: 0, file }
  setAttachments(conversationKey(to), [attachment])
  retryAttachment(to, attachment)
  await vi.waitFor(() => expect(attachmentsIn(conversationKey(to))[0]?.problem).toBeDefined())
  expect(attachmentsIn(conversationKey(to))[0]?.problem).toBe('Failed to upload files. Please try again.')
})
