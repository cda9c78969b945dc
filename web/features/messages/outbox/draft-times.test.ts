import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Change, SharedStorage } from '../../../test/shared-storage.ts'
import { Drafts } from './drafts.ts'

// Each draft is listed with the time when it was written.

const KEY = 'parley.draft.ada.talk'
const MORNING = Date.UTC(2026, 0, 31, 9)
const EVENING = Date.UTC(2026, 0, 31, 20)
let storage: SharedStorage
let receive: (change: Change) => void

beforeEach(() => {
  vi.useFakeTimers({ now: MORNING })
  storage = new SharedStorage()
  SharedStorage.report = () => {}
  vi.stubGlobal('localStorage', storage)
  vi.stubGlobal('sessionStorage', new SharedStorage())
  vi.stubGlobal('addEventListener', (name: string, listener: (change: Change) => void) => {
    if (name === 'storage') receive = listener
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const open = () => new Drafts('ada', () => {})
const listed = (drafts: Drafts) => drafts.all().map(({ draft, at }) => [draft.text, at])

test('undo restores a discarded draft with its time', () => {
  const drafts = open()
  drafts.set('talk', { text: 'half a thought' })
  drafts.save()
  vi.setSystemTime(EVENING)
  drafts.discard(KEY)()
  expect(listed(drafts)).toEqual([['half a thought', MORNING]])
  drafts.close()
  expect(listed(open())).toEqual([['half a thought', MORNING]])
})

test('undo restores a second entry with its time', () => {
  const drafts = open()
  drafts.set('talk', { text: 'half a thought' })
  const undo = drafts.discard(KEY)
  vi.setSystemTime(EVENING)
  drafts.set('talk', { text: 'another' })
  undo()
  expect(listed(drafts)).toEqual([
    ['another', EVENING],
    ['half a thought', MORNING],
  ])
  drafts.close()
})

test('a text that is kept beside that of another tab keeps its time', () => {
  storage.setItem(KEY, JSON.stringify({ text: 'old', version: '1', at: MORNING - 1 }))
  const drafts = open()
  drafts.set('talk', { text: 'mine' })
  vi.setSystemTime(EVENING)
  const newValue = JSON.stringify({ text: 'theirs', version: '2', at: EVENING })
  storage.setItem(KEY, newValue)
  receive({ key: KEY, oldValue: null, newValue })
  const beside = Object.keys(storage).find((key) => key.startsWith(`${KEY}~`)) ?? ''
  expect(JSON.parse(storage.getItem(beside) ?? '')).toMatchObject({ text: 'mine', at: MORNING })
  drafts.close()
})

test('a broken entry does not prevent the others from being listed', () => {
  for (const [nth, at] of ['yesterday', 1e300, null, {}].entries())
    storage.setItem(`${KEY}${nth}`, JSON.stringify({ text: `draft ${nth}`, at }))
  storage.setItem(`${KEY}~1`, JSON.stringify({ text: 'beside', at: 'yesterday' }))
  storage.setItem(`${KEY}~2`, '{"at":1}')
  storage.setItem(KEY, 'nothing')
  const drafts = open()
  expect(listed(drafts).sort()).toEqual([
    ['beside', undefined],
    ...[0, 1, 2, 3].map((nth) => [`draft ${nth}`, undefined]),
  ])
  drafts.close()
})
