import { expect, type Page } from '@playwright/test'

/** Waits until nothing in the page has changed, moved or scrolled for ten frames. */
export const settled = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        let quietFrames = 0
        const restart = () => {
          quietFrames = 0
        }
        const changes = new MutationObserver(restart)
        changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
        document.addEventListener('scroll', restart, { capture: true })
        const onFrame = () => {
          quietFrames++
          if (quietFrames < 10) return requestAnimationFrame(onFrame)
          changes.disconnect()
          document.removeEventListener('scroll', restart, { capture: true })
          return resolve()
        }
        requestAnimationFrame(onFrame)
      }),
  )

/** Waits for the images in view. A lazy image that the current width hides may never load. */
export const imagesLoaded = (page: Page) =>
  page.waitForFunction(() => {
    const isInView = (it: HTMLElement) =>
      it.checkVisibility({ visibilityProperty: true }) && it.getBoundingClientRect().top <= window.innerHeight
    return [...document.images].every((it) => it.complete || !isInView(it))
  })

/** Waits until the page has painted once more. */
export const nextFrame = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))

/** Waits until the composer has stopped holding its height for a press, which moves everything above it on a phone. */
export const composerReleased = (page: Page) => expect(page.locator('.composer-card[data-held]')).toHaveCount(0)
