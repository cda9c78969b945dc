import { type APIResponse, expect, type Page } from '@playwright/test'
import { channelIdOn, tokenOf } from './fixtures.ts'

/** Sends many messages concurrently to the channel on the page; the server decides their order. */
export async function sendConcurrently(page: Page, count: number, textOf: (index: number) => string) {
  const token = await tokenOf(page)
  const channelId = channelIdOn(page)
  const say = (index: number): Promise<APIResponse> =>
    page.request.post('/api/messages', {
      headers: { authorization: `Bearer ${token}` },
      data: { channelId, content: textOf(index) },
    })
  for (let from = 0; from < count; from += 40) {
    const sent = await Promise.all(Array.from({ length: Math.min(40, count - from) }, (_, i) => say(from + i)))
    for (const answer of sent) expect(answer.status()).toBe(201)
  }
}
