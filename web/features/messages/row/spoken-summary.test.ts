import { expect, test } from 'vitest'
import { besideText } from './spoken-summary.ts'

const file = (name: string) => ({ name }) as Parameters<typeof besideText>[0][number]
const reaction = (emoji: string, count: number) => ({ emoji, count, users: [], isMine: false })

test('what a message has beside its text is said in sentences, and nothing where there is nothing', () => {
  expect(besideText([], [], 0)).toBe('')
  expect(besideText([file('plan.pdf')], [], 1)).toBe('File: plan.pdf. 1 reply.')
  expect(besideText([file('a.png'), file('b.png')], [reaction('👍', 2), reaction('🎉', 1)], 3)).toBe(
    '2 files: a.png, b.png. Reactions: 👍 2, 🎉 1. 3 replies.',
  )
})
