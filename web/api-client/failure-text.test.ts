import { expect, test } from 'vitest'
import type { ErrorReply } from '#contract/errors'
import { ApiError } from './api.ts'
import { failureText, uploadFailureText } from './failure-text.ts'

const refused = (message: string, fields?: Record<string, string>) =>
  new ApiError(400, { error: { code: 'invalid', message, requestId: 'r', ...(fields && { fields }) } } as ErrorReply)

test.each([
  [refused('A channel with this name already exists'), 'Failed to save: a channel with this name already exists'],
  [refused('name is reserved', { name: 'is reserved' }), 'Failed to save: the name is reserved'],
  [
    refused('The new owner must be an active member', { ownerId: 'must be an active member' }),
    'Failed to save: the new owner must be an active member',
  ],
  [new ApiError(502), 'Failed to save'],
  [new TypeError('Failed to fetch'), 'Failed to save'],
])('%s is reported in words for people', (error, text) => {
  expect(failureText('Failed to save', error)).toBe(text)
})

test('the reason of a failed upload is a sentence beside another one', () => {
  const failed = 'Failed to upload files. Please try again.'
  expect(uploadFailureText(refused('Files can be up to 5 MB'), false)).toBe(`${failed} Files can be up to 5 MB.`)
  expect(uploadFailureText(refused('Your storage is full. Delete some.'), false)).toBe(
    `${failed} Your storage is full. Delete some.`,
  )
})
