import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** Waits until the service worker of the build that the page shows is active, and has stored its shell. */
export async function untilShellStored(page: Page) {
  const isStored = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready
      await registration.update()
      if (registration.installing || registration.waiting || registration.active?.state !== 'activated') return false
      const entry = document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? ''
      for (const name of await caches.keys()) {
        const shell = await caches.open(name)
        if ((await shell.match('/')) && (await shell.match(entry))) return true
      }
      return false
    })
  await expect.poll(isStored).toBe(true)
}
