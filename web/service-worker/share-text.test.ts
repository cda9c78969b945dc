import { expect, test } from 'vitest'
import { composeText } from './share-text.ts'

const link = 'https://example.com/a?b=1'

test.each([
  ['a text', { text: 'Hello' }, 'Hello'],
  ['a page of a browser', { title: 'A page', url: link }, `A page\n${link}`],
  ['a page whose link is in the text', { title: 'A page', text: link }, `A page\n${link}`],
  ['all three', { title: 'A page', text: 'Read this', url: link }, `A page\nRead this\n${link}`],
  ['a link twice', { text: `Look: ${link}`, url: link }, `Look: ${link}`],
  [
    'a link with a slash less',
    { text: 'at https://example.com.', url: 'https://example.com/' },
    'at https://example.com.',
  ],
  ['a longer link in the text', { text: link, url: 'https://example.com' }, `${link}\nhttps://example.com`],
  ['a title that the text repeats', { title: 'The News', text: `the  news\n${link}` }, `the  news\n${link}`],
  ['a title that is the link', { title: link, url: link }, link],
  ['a title that is part of a word', { title: 'Art', text: 'We start' }, 'Art\nWe start'],
  ['a title of several lines in the text', { title: 'One two', text: 'One\ntwo three' }, 'One\ntwo three'],
  ['a title alone', { title: ' A page ' }, 'A page'],
  ['line ends of forms', { text: 'one\r\ntwo\rthree' }, 'one\ntwo\nthree'],
  ['a character that no message can contain', { text: 'a\0b' }, 'ab'],
  ['markup, as it is', { text: '<b>&amp;</b>' }, '<b>&amp;</b>'],
  ['a title much longer than the text', { title: 'a'.repeat(2000), text: 'a' }, `${'a'.repeat(2000)}\na`],
  ['nothing', { text: ' \r\n ' }, ''],
])('%s', (_, shared, composed) => {
  expect(composeText({ title: '', text: '', url: '', ...shared })).toBe(composed)
})
