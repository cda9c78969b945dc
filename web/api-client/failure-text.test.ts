import { afterEach, expect, test } from 'vitest'
import { type ErrorReply, type Problem, problem } from '#contract/errors'
import { showLanguage } from '../i18n/language.ts'
import { ApiError } from './api.ts'
import { explainFailure, failureText, fieldText, reasonText } from './failure-text.ts'
import { uploadFailureText } from './upload-failure-text.ts'

/** An error as the server replies; the message is for programs. */
const refused = (why: Problem, problems?: Record<string, Problem>) =>
  new ApiError(400, { error: { code: 'invalid', message: 'In English', ...why, ...(problems && { problems }) } })
/** An error from a server of another version. */
const unknown = (error: Partial<ErrorReply['error']>) =>
  new ApiError(400, { error: { code: 'invalid', message: 'The moon is full', ...error } })

afterEach(() => showLanguage('en'))

test.each([
  [refused(problem('errors.channelNameTaken')), 'Couldn’t save: a channel with this name already exists'],
  [refused(problem('errors.reserved'), { name: problem('errors.reserved') }), 'Couldn’t save: the name is reserved'],
  [
    refused(problem('errors.tooLong', { max: 10_000 }), { content: problem('errors.tooLong', { max: 10_000 }) }),
    'Couldn’t save: the content must have at most 10,000 characters',
  ],
  [
    // Names such as 'ownerId' mean nothing to people.
    refused(problem('errors.newOwnerNotMember'), { ownerId: problem('errors.mustBeActiveMember') }),
    'Couldn’t save: the new owner must be an active member of this channel',
  ],
  [refused({ reason: 'notAnId', values: { field: 'ownerId' } }), 'Couldn’t save: ownerId must be an id'],
  [unknown({ reason: 'fullMoon', values: { phase: 4 } }), 'Couldn’t save: the moon is full'],
  [unknown({ reason: 'tooLong' }), 'Couldn’t save: the moon is full'],
  [unknown({}), 'Couldn’t save: the moon is full'],
  [unknown({ problems: { name: { reason: 'fullMoon' } } }), 'Couldn’t save: the moon is full'],
  // It lacks the value that this page's text takes.
  [unknown({ reason: 'fileTooLarge' }), 'Couldn’t save: the moon is full'],
  [new ApiError(502), 'Couldn’t save'],
  [new TypeError('Failed to fetch'), 'Couldn’t save'],
])('%s is reported in words for people', (error, text) => {
  expect(failureText('Couldn’t save', error)).toBe(text)
})

test('a failure without a response is explained by the connection', () => {
  expect(explainFailure('Couldn’t save', new TypeError('Failed to fetch'))).toBe('Couldn’t save: no connection')
})

test('the problem of a field is a sentence of its own', () => {
  const values = { min: 3, max: 30 }
  const error = refused(problem('errors.notAUsername', values), { username: problem('errors.notAUsername', values) })
  expect(fieldText(error, 'username')).toBe(
    'The username must have 3 to 30 letters (a–z), digits, dots, hyphens or underscores',
  )
  expect(fieldText(error, 'name')).toBeUndefined()
  expect(fieldText(new TypeError('Failed to fetch'), 'name')).toBeUndefined()
})

test('reasons are in the language that is shown', async () => {
  const error = refused(problem('errors.fileTooLarge', { max: 5 }))
  expect(reasonText(error)).toBe('Files can be up to 5 MB')
  await showLanguage('en-XA')
  expect(reasonText(error)).toMatch(/^\[Ƒ?\S*.* 5 MB~+\]$/u)
  expect(reasonText(error)).not.toContain('Files')
})

test('the reason of a failed upload is a second sentence', () => {
  const failed = 'Failed to upload files. Please try again.'
  expect(uploadFailureText(refused(problem('errors.fileTooLarge', { max: 5 })), false)).toBe(
    `${failed} Files can be up to 5 MB.`,
  )
  expect(uploadFailureText(refused(problem('errors.quotaExceeded')), false)).toBe(
    `${failed} Your storage is full. Delete some files to make room.`,
  )
  expect(uploadFailureText(new TypeError('Failed to fetch'), false)).toBe(failed)
})
