import { expect, test } from 'vitest'
import { proposeUsername, signUpErrors } from './sign-up-rules.ts'

test.each([
  ['Nora Berg', 'nora'],
  ['  Zoë  Kravitz ', 'zoe'],
  ['Mei-Lin Chen', 'mei-lin'],
  ["Siobhán O'Neill", 'siobhan'],
  ['Bo Li', 'bo.li'],
  ['Bo', ''],
  ['Assistant Smith', 'assistant.smith'],
  ['佐藤 花子', ''],
  ['', ''],
  ['x'.repeat(50), 'x'.repeat(30)],
])('for %j the username %j is proposed', (name, username) => expect(proposeUsername(name)).toBe(username))

test('an empty form has an error at each required field', () => {
  expect(Object.keys(signUpErrors({ name: '', username: ' ', email: '', password: '' }))).toEqual([
    'username',
    'email',
    'password',
  ])
})

test('input that the server would refuse is reported before it is sent', () => {
  const good = { username: 'Nora.Berg', email: ' nora@example.com ', password: 'correct horse' }
  expect(signUpErrors(good)).toEqual({})
  for (const username of ['no', 'nora berg', 'everyone', 'n'.repeat(31)])
    expect(Object.keys(signUpErrors({ ...good, username }))).toEqual(['username'])
  for (const email of ['nora', 'nora@', 'nora@example', 'nora berg@example.com'])
    expect(signUpErrors({ ...good, email })).toEqual({ email: "This isn't a valid email address" })
  expect(signUpErrors({ ...good, password: '1234567' })).toEqual({ password: 'Use at least 8 characters' })
})
