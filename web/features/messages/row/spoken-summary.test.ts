import { expect, test } from 'vitest'
import { spokenSummary } from './spoken-summary.ts'

const file = (name: string) => ({ name }) as Parameters<typeof spokenSummary>[0][number]
const reaction = (emoji: string, count: number) => ({ emoji, count, users: [], isMine: false })

test('the summary describes files, reactions and replies, and is empty if there are none', () => {
  expect(spokenSummary([], [], 0)).toBe('')
  expect(spokenSummary([file('plan.pdf')], [], 1)).toBe('File: plan.pdf. 1 reply.')
  expect(spokenSummary([file('a.png'), file('b.png')], [reaction('👍', 2), reaction('🎉', 1)], 3)).toBe(
    '2 files: a.png, b.png. Reactions: 👍 2, 🎉 1. 3 replies.',
  )
})
