import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { createChannel, expect, test, uniqueName } from '../support/fixtures.ts'
import { row } from '../support/sidebar.ts'

const fold = (page: Page) => page.getByRole('button', { name: /^Not joined/ })

test('channels I have not joined stand in a run of their own, which folds, and are joined from their rows', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn')
  const [first, second] = ['aa', 'bb'].map(uniqueName) as [string, string]
  await createChannel(ada, first)
  const secondId = await createChannel(ada, second)

  // A newcomer sees both sections: their own, then the others.
  await expect(fold(bob)).toHaveAttribute('aria-expanded', 'true')
  await expect(row(bob, first)).toContainText('not joined')
  const order = () =>
    bob.getByRole('region', { name: 'CHANNELS' }).evaluate(
      (section, names) => {
        const at = (text: string) => section.textContent?.indexOf(text) ?? -1
        return names.map(at).every((place, index, all) => index === 0 || (all[index - 1] ?? 0) < place)
      },
      ['general', 'Not joined', first, second],
    )
  await expect.poll(order).toBe(true)
  await expectAccessible(bob)

  await row(bob, first).hover()
  await bob.getByRole('button', { name: `Join ${first}` }).click()
  await expect(bob.getByRole('heading', { name: first })).toBeVisible()
  await expect(row(bob, first)).not.toContainText('not joined')
  await expect(bob.getByRole('button', { name: `Actions for ${first}` })).toBeAttached()

  // It stays folded after a reload, and keys skip hidden rows.
  await fold(bob).click()
  await expect(row(bob, second)).toHaveCount(0)
  await bob.reload()
  await expect(row(bob, first)).toBeVisible()
  await expect(fold(bob)).toHaveAttribute('aria-expanded', 'false')
  await expect(row(bob, second)).toHaveCount(0)
  await row(bob, first).click()
  await bob.keyboard.press('Alt+ArrowDown')
  await expect(bob.getByRole('heading', { name: 'general' })).toBeVisible()
  // The open channel is shown even so.
  await bob.goto(`/channels/${secondId}`)
  await expect(row(bob, second)).toHaveAttribute('aria-current', 'page')
  await bob.keyboard.press('Alt+ArrowUp')
  await expect(bob.getByRole('heading', { name: 'general' })).toBeVisible()
  await expect(row(bob, second)).toHaveCount(0)
  await fold(bob).press('Enter')
  await expect(row(bob, second)).toBeVisible()
})
