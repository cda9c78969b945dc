import { composer, createChannel, expect, message, sendMessages, test, uniqueName } from '../support/fixtures.ts'

/** The number of pages of a PDF, which has one object for each. */
const pagesOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0

test('printing includes all loaded messages, not only those on screen, and the URLs of links', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('printed'))
  await sendMessages(
    ada,
    Array.from({ length: 48 }, (_, nth) => `Entry ${nth} of the minutes\n\nwith a second paragraph`),
  )
  await sendMessages(ada, ['See [the notes](https://example.com/notes) and https://example.com/plain'])
  await ada.reload()
  await expect(message(ada, 'See the notes')).toBeVisible()
  await composer(ada).fill('Not for paper')
  // Reads the page at the moment the browser lays it out for printing.
  await ada.evaluate(() => {
    window.addEventListener('beforeprint', () => {
      Object.assign(window, { entries: document.querySelectorAll('article').length })
    })
  })
  const pdf = await ada.pdf({ format: 'A4' })
  expect(pagesOf(pdf)).toBeGreaterThanOrEqual(3)
  expect(await ada.evaluate(() => (window as unknown as { entries: number }).entries)).toBeGreaterThanOrEqual(49)
  // After printing, the page is unchanged.
  await expect.poll(() => ada.getByRole('article').count()).toBeLessThan(49)
  await expect(message(ada, 'See the notes')).toBeInViewport()
  await expect(composer(ada)).toHaveValue('Not for paper')

  await ada.emulateMedia({ media: 'print' })
  for (const hidden of [
    composer(ada),
    ada.getByRole('complementary', { name: 'Sidebar' }),
    ada.getByRole('button', { name: 'Search' }).first(),
    ada.getByRole('button', { name: 'Members' }),
  ])
    await expect(hidden).toBeHidden()
  await expect(ada.getByRole('heading', { level: 1 })).toBeVisible()

  // A link shows its URL, and no message breaks across pages.
  await ada.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
  await ada.emulateMedia({ media: 'print', colorScheme: 'dark' })
  const printed = message(ada, 'See the notes').filter({ visible: true })
  await expect(printed).toHaveCount(1)
  const after = (name: string) =>
    printed.getByRole('link', { name }).evaluate((link) => getComputedStyle(link, '::after').content)
  expect(await after('the notes')).toContain('https://example.com/notes')
  expect(await after('https://example.com/plain')).toBe('none')
  await expect(printed).toHaveCSS('break-inside', 'avoid')
  // Prints dark on white, even from the dark theme.
  await expect(ada.locator(':root')).toHaveCSS('color-scheme', 'light')
  await expect(ada.locator('body')).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
})
