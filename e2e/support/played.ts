import type { Page } from '@playwright/test'

/** Records the playing element as `window.played`: the page's audio element is not in the document, so no locator finds it. */
export const notePlayed = (page: Page) =>
  page.evaluate(() => {
    const { play } = HTMLMediaElement.prototype
    HTMLMediaElement.prototype.play = function () {
      Object.assign(window, { played: this })
      return play.call(this)
    }
  })

/** Plays to the end, sixteen times as fast because seeking is not possible. */
export const finish = (page: Page) =>
  page.evaluate(() => {
    const { played } = window as unknown as { played: HTMLMediaElement }
    played.playbackRate = 16
  })
