import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readZip } from '../../server/test/support/read-zip.ts'
import { expectAccessible } from '../support/accessibility.ts'
import { callApi, createChannel, expect, say, storedTexts, test, uniqueName } from '../support/fixtures.ts'

test(
  'an export is announced when it is done, and its archive is searched from the disk',
  { tag: '@long' },
  async ({ person }, testInfo) => {
    const ada = await person('Ada Keeper')
    const channel = uniqueName('logbook')
    await createChannel(ada, channel)
    await say(ada, 'The café opens <at> nine')
    for (const text of ['The har**bour** closes  at ten', 'It opens\nat noon', 'Straße, ΟΔΟΣ']) await say(ada, text)
    await expect.poll(() => storedTexts(ada)).toHaveLength(4)
    // As if the settings had been closed before it was done.
    await callApi(ada, 'POST', '/api/exports', { scope: 'mine' })
    await expect(ada.getByText('Ready to download: My data')).toBeVisible()
    const file = ada.waitForEvent('download')
    await ada.getByRole('button', { name: 'Download', exact: true }).click()

    const folder = testInfo.outputPath('archive')
    for (const [path, content] of await readZip(await readFile(await (await file).path()))) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), content)
    }
    const reader = await ada.context().newPage()
    await reader.goto(pathToFileURL(join(folder, 'index.html')).href)
    await reader.getByRole('searchbox', { name: 'Words' }).fill('CAFE opens')
    await reader.keyboard.press('Enter')
    await expect(reader.getByRole('status')).toHaveText('1 message')
    const result = reader.getByRole('listitem')
    await expect(result).toContainText(`Ada Keeper in #${channel}`)
    await expect(result).toContainText('The café opens <at> nine')
    await expect(result.locator('mark')).toHaveText(['café', 'opens'])
    await expectAccessible(reader)
    await result.getByRole('link').click()
    await expect(reader.locator('article:target')).toContainText('The café opens <at> nine')
    await reader.getByRole('link', { name: 'Search' }).click()
    await expect(reader.getByRole('combobox', { name: 'Conversation' }).locator('option:checked')).toHaveText(
      `#${channel}`,
    )
    for (const [words, marked] of [
      ['"harbour closes at"', ['har**bour** closes  at']],
      ['"OPENS AT"', ['opens\nat']],
      ['strasse οδος', ['Straße', 'ΟΔΟΣ']],
      ['open opens nine', ['opens', 'nine']],
    ] as const) {
      await reader.getByRole('searchbox').fill(words)
      await reader.keyboard.press('Enter')
      await expect(reader.locator('mark')).toHaveText([...marked])
    }
    await reader.getByRole('searchbox').fill('nothing like this')
    await reader.keyboard.press('Enter')
    await expect(reader.getByRole('status')).toHaveText('Nothing found')
  },
)
