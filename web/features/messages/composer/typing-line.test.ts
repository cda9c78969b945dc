import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { decoded, words } from '../../../test/render-message.ts'
import { typingIn } from '../sync/typing-users.ts'
import TypingLine from './typing-line.tsx'

/** The text shown, the text announced to screen readers, and the initials, while these people type. */
function line(...names: string[]) {
  const client = new QueryClient()
  const typing = names.map((name) => ({ user: { id: name, username: name, name }, until: Number.POSITIVE_INFINITY }))
  client.setQueryData(typingIn('c').queryKey, typing)
  const part = createElement(TypingLine, { channelId: 'c', threadId: null })
  const html = renderToStaticMarkup(createElement(QueryClientProvider, { client }, part))
  const [shown = '', said = ''] = html.split('<span aria-live="polite"')
  const faces = [...shown.matchAll(/<span aria-hidden="true".*?<\/span>/g)].map(([face]) => words(face))
  return [
    decoded(words(shown.replaceAll(/<span aria-hidden="true".*?<\/span>/g, ''))),
    words(`<span${said}`),
    faces.join(''),
  ]
}

test('up to two typing people are named and three shown; only the first is announced', () => {
  expect(line()).toEqual(['', '', ''])
  expect(line('Mei')).toEqual(['Mei is typing', 'Mei started typing', 'M'])
  expect(line('Mei', 'Bob')).toEqual(['Mei and Bob are typing', 'Mei started typing', 'MB'])
  expect(line('Mei', 'Bob', 'Eve', 'Ada')).toEqual(['Several people are typing', 'Mei started typing', 'MBE'])
})
