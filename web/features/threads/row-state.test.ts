import { expect, test } from 'vitest'
import { rowState } from './row-state.ts'

const listed = { isGone: false, isOpen: true, wasOpen: true, cursor: undefined }
const gone = { ...listed, isGone: true }

test('a listed thread is shown, even before its channel is known, until the channel ends', () => {
  expect(rowState(listed)).toBe('shown')
  expect(rowState({ ...listed, isOpen: false, wasOpen: false })).toBe('shown')
  expect(rowState({ ...listed, isOpen: false })).toBe('ended')
})

test('a thread that is gone shows nothing unless I am known to be in its channel', () => {
  expect(rowState({ ...gone, isOpen: false })).toBe('ended')
  expect(rowState({ ...gone, isOpen: false, wasOpen: false, cursor: { isFollowing: false } })).toBe('ended')
})

test('a thread counts as unfollowed or deleted only once the server confirms it', () => {
  expect(rowState(gone)).toBe('shown')
  expect(rowState({ ...gone, cursor: { isFollowing: true } })).toBe('shown')
  expect(rowState({ ...gone, cursor: { isFollowing: false } })).toBe('unfollowed')
  expect(rowState({ ...gone, cursor: 'missing' })).toBe('deleted')
})
