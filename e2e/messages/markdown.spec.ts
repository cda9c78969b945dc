import type { Page } from '@playwright/test'
import { createChannel, expect, message, say, sendMessages, test, uniqueName } from '../support/fixtures.ts'
import { recordTexts } from '../support/recorded.ts'

const code = '```ts\nconst answer = await call("x") // why\n```'
const channelOf = (page: Page) => new URL(page.url()).pathname

/** How many pixels the page could be scrolled sideways. */
const sideways = (page: Page) =>
  page.evaluate(() => {
    const list = document.querySelector('[aria-label=Messages]') as HTMLElement
    const widths = [document.documentElement, list].map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    return Math.max(...widths)
  })

test('message text never runs scripts, loads resources, external audio included, or navigates', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const foreign: string[] = []
  ada.on('request', (request) => {
    if (!request.url().startsWith(new URL(ada.url()).origin)) foreign.push(request.url())
  })
  const doors = [
    '<img src=x onerror="window.ran = 1">',
    '<svg onload="window.ran = 2"></svg>',
    '<math><mtext></mtext><mglyph><style><img src=x onerror="window.ran = 3">',
    '<script>window.ran = 4</script>',
    '<iframe srcdoc="<script>parent.ran = 5</script>"></iframe>',
    '<!-- a comment --> <b>bold?</b> <a href="javascript:ran=6">raw</a>',
    '![picture](https://pictures.example/cat.png)',
    '![](//pictures.example/dog.png)',
    '[one](javascript:window.ran=7) [two](JaVa&Tab;ScRiPt:ran=8) [three](data:text/html,x) [four](vbscript:x) [five](blob:x)',
  ]
  const audio = ['https://example.com/a.mp3', '//example.com/b.mp3', 'javascript:alert(1)//c.mp3']
  await createChannel(ada, uniqueName('doors'))
  await sendMessages(ada, [...doors, ...audio])
  await expect(message(ada, 'one two three four five')).toBeVisible()
  for (const text of doors.slice(0, 6)) await expect(message(ada, text)).toBeVisible()
  const found = await ada
    .locator('.prose')
    .evaluateAll((all) =>
      all.map((prose) => prose.querySelectorAll('img, svg, math, script, style, iframe, [href^=javascript]').length),
    )
  expect(found.slice(0, doors.length)).toEqual(doors.map(() => 0))
  for (const name of ['one', 'two', 'three', 'four', 'five']) {
    await ada.locator('.prose').getByText(name, { exact: true }).click()
    await expect(ada.getByRole('link', { name, exact: true })).toHaveCount(0)
  }
  await expect(ada.getByRole('link', { name: 'picture', exact: true })).toHaveAttribute(
    'href',
    'https://pictures.example/cat.png',
  )
  const player = (name: RegExp) => ada.getByRole('group', { name })
  for (const name of [/a.mp3/, /b.mp3/]) {
    const link = player(name).getByRole('link')
    await expect(link).toHaveAttribute('href', /^https?:\/\/example.com\/[ab].mp3$/)
    await expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow')
    await expect(link).toHaveAttribute('title', /to protect your privacy/)
    await expect(player(name).getByRole('button')).toHaveCount(0)
  }
  await expect(player(/c.mp3/)).toContainText("This audio can't be played")
  await expect(player(/c.mp3/).getByRole('button')).toBeDisabled()
  expect(await ada.evaluate(() => (window as { ran?: number }).ran)).toBeUndefined()
  expect(foreign).toEqual([])
})

test('links within Parley navigate without a reload, others open in a new tab', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const general = channelOf(ada)
  const { origin } = new URL(ada.url())
  await createChannel(ada, uniqueName('links'))
  const links = channelOf(ada)
  await sendMessages(ada, [
    `[by path](${general}?message=1) or ${origin}${general} or [elsewhere](//example.com/a) or [slashes](\\\\\\\\example.com)`,
    'see [the file](/api/files/1/a.pdf) and www.example.com and ada@example.com',
  ])
  const link = (name: string) => ada.getByRole('article').getByRole('link', { name })
  for (const name of ['elsewhere', 'slashes', 'www.example.com']) {
    await expect(link(name)).toHaveAttribute('rel', 'noopener noreferrer nofollow')
    await expect(link(name)).toHaveAttribute('target', '_blank')
  }
  await expect(link('the file')).toHaveAttribute('target', '_blank')
  await expect(link('ada@example.com')).toHaveAttribute('href', 'mailto:ada@example.com')
  await ada.evaluate(() => Object.assign(window, { isSamePage: true }))
  await link('by path').click()
  // The page scrolls to the linked message once, then removes it from the URL.
  await expect(ada).toHaveURL(`${origin}${general}`)
  await ada.goBack()
  await expect(ada).toHaveURL(`${origin}${links}`)
  await link(`${origin}${general}`).click()
  await expect(ada).toHaveURL(`${origin}${general}`)
  expect(await ada.evaluate(() => 'isSamePage' in window)).toBe(true)
})

test('code is highlighted, scrolls within its block and can be copied; no text widens a narrow page', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace', { permissions: ['clipboard-read', 'clipboard-write'] })
  const loaded: string[] = []
  ada.on('request', (request) => loaded.push(request.url()))
  const colours = () => loaded.filter((url) => url.includes('/highlight-'))
  await createChannel(ada, uniqueName('code'))
  await say(ada, '```\nno language\n```\nand `inline`')
  await expect(message(ada, 'no language')).toBeVisible()
  expect(colours()).toEqual([])

  const long = `const long = "${'x'.repeat(400)}"`
  await sendMessages(ada, [code, `\`\`\`js\n${long}\n\`\`\``, '```klingon\nqapla\n```'])
  await expect(ada.locator('.code .keyword', { hasText: 'await' })).toBeVisible()
  await expect(ada.locator('.code .comment')).toHaveText('// why')
  expect(colours().length).toBe(1)
  await expect(message(ada, 'qapla').locator('span.keyword')).toHaveCount(0)

  const block = message(ada, 'const long').locator('pre')
  await block.focus()
  await ada.keyboard.press('ArrowRight')
  await expect.poll(() => block.evaluate((pre) => pre.scrollLeft)).toBeGreaterThan(0)
  expect(await sideways(ada)).toBe(0)

  await ada.keyboard.press('Tab')
  await expect(message(ada, 'const long').getByRole('button', { name: 'Copy code' })).toBeFocused()
  const expectText = await recordTexts(ada, '.code [role=status]')
  await ada.keyboard.press('Enter')
  await expectText('Copied')
  expect(await ada.evaluate(() => navigator.clipboard.readText())).toBe(long)

  await ada.setViewportSize({ width: 360, height: 740 })
  const word = 'Donaudampfschifffahrtsgesellschaft'.repeat(12)
  await sendMessages(ada, [
    word,
    `https://example.com/${word}`,
    `\`${word}\` **${word}**`,
    `\`\`\`js\n"${word}"\n\`\`\``,
    `| one | two | three |\n|-|-|-|\n| ${word} | b | c |`,
    `1000000. ${word}\n   - ${word}\n      - ${word}`,
    `${'> '.repeat(20)}${word}`,
    Array.from({ length: 12 }, (_, depth) => `${'  '.repeat(depth)}- deep`).join('\n'),
    `${word}.mp3`,
    `مرحبا ${word} \`const x\` مرحبا`,
  ])
  await expect(message(ada, 'مرحبا').last()).toBeVisible()
  expect(await sideways(ada)).toBe(0)
  const outside = await ada
    .locator('.prose :not(.code *, .table-frame *)')
    .evaluateAll((all) =>
      all.filter((it) => it.getBoundingClientRect().right > innerWidth).map((it) => it.outerHTML.slice(0, 80)),
    )
  expect(outside).toEqual([])
})
