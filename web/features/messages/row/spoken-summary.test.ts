import { expect, test } from 'vitest'
import { spokenSummary } from './spoken-summary.ts'

const reaction = (emoji: string, count: number) => ({ emoji, count, users: [], isMine: false })
const none = { files: [], previews: [], pinnedBy: '', later: '', reactions: [], replies: 0 }

test('the summary describes files, the pin, what I saved, reactions and replies, and is empty if there are none', () => {
  expect(spokenSummary(none)).toBe('')
  expect(spokenSummary({ ...none, files: [{ name: 'plan.pdf' }], replies: 1 })).toBe('File: plan.pdf. 1 reply.')
  const previews = [
    { title: 'A page', site: 'example.com' },
    { title: '', site: 'pictures.example' },
  ]
  expect(spokenSummary({ ...none, previews })).toBe('Preview: A page, pictures.example.')
  expect(spokenSummary({ ...none, pinnedBy: 'Pinned by Bob' })).toBe('Pinned by Bob.')
  expect(spokenSummary({ ...none, later: 'Saved for later', replies: 1 })).toBe('Saved for later. 1 reply.')
  const files = [{ name: 'a.png' }, { name: 'b.png' }]
  expect(spokenSummary({ ...none, files, reactions: [reaction('👍', 2), reaction('🎉', 1)], replies: 3 })).toBe(
    '2 files: a.png, b.png. Reactions: 👍 2, 🎉 1. 3 replies.',
  )
})
